import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "./support/source-files.ts";

type Found = { code: string; message: string; filename: string; labels: { span: { line: number } }[] };

const refused: [code: string, says: string][] = [
  ["amount / 100", "/ gives a floating point number"],
  ["amount /= 100", "/= gives a floating point number"],
  ["amount * 10 ** 2", "** gives a floating point number"],
  ["amount * 0.01", "0.01 is not a safe integer"],
  ["amount + 9007199254740993", "9007199254740992 is not a safe integer"],
  ["Math.round(amount)", "Math.round is for floating point numbers"],
  ["parseFloat(text)", "parseFloat is for floating point numbers"],
  ["Number.parseFloat(text)", "parseFloat is for floating point numbers"],
  ["amount.toFixed(2)", "toFixed is for floating point numbers"],
];
const taken = [
  "amount + 1",
  "amount - 1",
  "-amount",
  "BigInt(amount) / 100n",
  "10n ** 2n",
  "Math.max(amount, 1)",
  "1050",
];
const lines = [...refused.map(([code]) => code), ...taken];
const text = `let amount = 1, text = "";\n${lines.map((code) => `console.log(${code});`).join("\n")}\n`;
const folders = [
  "packages/client/src/money",
  "packages/platform/src/custody",
  "packages/platform/src/ledger",
  "packages/platform/src/orchestra",
  "packages/simulation/src",
];

/** The findings by the repository's own configuration: the message for each line number. */
let found: Map<string, string>;

beforeAll(async () => {
  const folder = await createTestFolder();
  const config = JSON.parse(await readFile(join(repository, ".oxlintrc.json"), "utf8")) as { jsPlugins: string[] };
  const plugins = config.jsPlugins.map((path) => join(repository, path));
  await writeFile(
    join(folder, ".oxlintrc.json"),
    JSON.stringify({ ...config, jsPlugins: plugins, $schema: undefined }),
  );
  for (const path of [...folders, "packages/client/src"]) {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, "seed.ts"), text);
  }
  const { diagnostics } = JSON.parse(await lint(folder)) as { diagnostics: Found[] };
  const ours = diagnostics.filter(({ code }) => code.includes("exact"));
  found = new Map(ours.map((one) => [`${one.filename} ${(one.labels[0]?.span.line ?? 0) - 1}`, one.message]));
});

describe.each(folders)("in %s, where amounts are handled,", (folder) => {
  test.each(refused)("%s is an error", (code, says) => {
    expect(found.get(`${folder}/seed.ts ${lines.indexOf(code) + 1}`)).toContain(says);
  });

  test.each(taken)("%s is taken", (code) => {
    expect(found.get(`${folder}/seed.ts ${lines.indexOf(code) + 1}`)).toBeUndefined();
  });
});

test("elsewhere numbers may be what they are", () => {
  expect([...found.keys()].filter((place) => place.startsWith("packages/client/src/seed.ts"))).toEqual([]);
});

/** The linter exits with 1, because it finds something. */
function lint(cwd: string): Promise<string> {
  const oxlint = join(repository, "node_modules/oxlint/bin/oxlint");
  return new Promise((resolve) => {
    execFile(process.execPath, [oxlint, "--format=json"], { cwd }, (_error, stdout) => resolve(stdout));
  });
}
