import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The kinds of fault that the suites guard against; a folder each. */
export const faultKinds = [
  "client",
  "console",
  "direct-addresses",
  "idempotency",
  "money",
  "outages",
  "permissions",
  "pipeline",
  "plans",
  "review",
  "sign-in",
  "state-machines",
  "validation",
  "webhooks",
] as const;

export type Tier = "facts" | "edge" | "system" | "nightly";

export type Fault = {
  kind: string;
  name: string;
  /** Absolute path of the patch, which `git apply` reads. */
  file: string;
  /** One sentence: what the fault breaks. */
  guards: string;
  /** The suite that turns red, as a path of the repository. */
  foundBy: string;
  tier: Tier;
};

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Every seeded fault: `tests/faults/<kind>/<name>.patch`. Throws for a patch whose header is incomplete. */
export function readFaults(): Fault[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: kind }) =>
      readdirSync(`${folder}${kind}`)
        .filter((file) => file.endsWith(".patch"))
        .map((file) => readFault(kind, file)),
    );
}

function readFault(kind: string, fileName: string): Fault {
  const file = `${folder}${kind}/${fileName}`;
  const text = readFileSync(file, "utf8");
  const headerOf = (name: string): string => {
    const found = new RegExp(`^# ${name}: (\\S.*)$`, "m").exec(text)?.[1];
    if (found === undefined) {
      throw new Error(`${kind}/${fileName} must begin with the lines "# guards: ..." and "# found by: ...": ${name}.`);
    }
    return found;
  };
  const foundBy = headerOf("found by");
  return {
    kind,
    name: fileName.slice(0, -".patch".length),
    file,
    guards: headerOf("guards"),
    foundBy,
    tier: tierOf(foundBy),
  };
}

/** The suffix of a test file names its tier. */
export function tierOf(suite: string): Tier {
  const [, tier = "facts"] = /\.(edge|system|nightly)\.test\.ts$/.exec(suite) ?? [];
  // The expression names no other.
  return tier as Tier;
}
