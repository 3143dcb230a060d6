import { startBuildWhenStale, type BackgroundBuild } from "@gateway/process";
import { join } from "node:path";
import type { Addresses } from "../site/build-site.ts";
import { hashSiteInputs } from "../site/hash-inputs.ts";

const buildScript = join(import.meta.dirname, "../build.ts");

/** Builds a missing or stale site in a process of its own, so that nothing waits for it. */
export function startBackgroundBuild(
  { folder, addresses }: { folder: string; addresses: Addresses | null },
  print: (line: string) => void,
  script: string = buildScript,
): Promise<BackgroundBuild> {
  return startBuildWhenStale({
    folder,
    inputs: () => hashSiteInputs(addresses),
    script,
    args: listOptions(folder, addresses),
    name: "The documentation",
    print,
  });
}

function listOptions(folder: string, addresses: Addresses | null): string[] {
  // Passes all addresses unchanged, because the build records their hash.
  const known = addresses ? [`--addresses=${JSON.stringify(addresses)}`] : [];
  return [`--out=${folder}`, ...known];
}
