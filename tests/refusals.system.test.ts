import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..");

/** A change of one file, by a function of its text. The text of a missing file is empty. */
type Change = readonly [path: string, change: (text: string) => string];

const operations = "apps/gateway/src/operations";

/**
 * Each fault that a person can make outside of the document is one error, at the place where it was made. Nine errors
 * for one missing handler would hide where it is missing.
 */
const faults: readonly (readonly [name: string, changes: readonly Change[], error: RegExp])[] = [
  [
    "an operation that nobody serves",
    [[`${operations}/ledger/index.ts`, (text) => text.replace(/^export.*get-wallet.*\n/m, "")]],
    /operations\/index\.ts.*'getWallet' is missing/,
  ],
  [
    "an operation in the folder of another service",
    [
      [`${operations}/ledger/index.ts`, (text) => text.replace(/^export.*get-wallet.*\n/m, "")],
      [`${operations}/accounts/index.ts`, (text) => `export { getWallet } from "../ledger/get-wallet.ts";\n${text}`],
    ],
    /operations\/index\.ts.*does not satisfy the expected type 'OperationsOf<"accounts">'/,
  ],
  [
    "a handler of an operation that the document has not",
    [
      [
        `${operations}/ledger/count-wallets.ts`,
        () =>
          'import type { OperationHandler } from "../operation.ts";\n\nexport const countWallets: OperationHandler<"countWallets"> = async ({ input, deps }) => {\n  return { status: 200, data: await deps.ledger.wallets.count(input.query) };\n};\n',
      ],
      [`${operations}/ledger/index.ts`, (text) => `export { countWallets } from "./count-wallets.ts";\n${text}`],
    ],
    /operations\/ledger\/count-wallets\.ts.*NoSuchOperation/,
  ],
  [
    "an operation that uses a service which its own may not call",
    [
      [
        `${operations}/ledger/get-wallet.ts`,
        (text) => text.replace("{ ledger }", "{ auth }").replace("ledger.wallets", "auth.users"),
      ],
    ],
    /operations\/ledger\/get-wallet\.ts.*'auth' does not exist/,
  ],
  [
    "a service that reads the table of another",
    [
      [
        "packages/platform/src/ledger/wallet.ts",
        (text) => `${text}\nexport const foreign = (db: Kysely<LedgerTables>) => db.selectFrom("accounts");\n`,
      ],
    ],
    /platform\/src\/ledger\/wallet\.ts.*'"accounts"' is not assignable/,
  ],
];

describe("one error of the type-check for", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await createTestFolder();
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    for (const file of ["package.json", "tsconfig.base.json"]) {
      await cp(join(repository, file), join(folder, file));
    }
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "./tsconfig.base.json", include: ["apps", "packages"] }),
    );
    await copySources();
  });

  const copySources = async (): Promise<void> => {
    for (const path of ["apps/gateway", "packages/platform"]) {
      await cp(join(repository, path, "src"), join(folder, path, "src"), { recursive: true });
    }
  };

  test("nothing, as it is", async () => {
    expect(await typeCheck(folder)).toEqual([]);
  });

  test.each(faults)("%s", async (_name, changes, error) => {
    const undo: (() => Promise<void>)[] = [];
    for (const [path, change] of changes) {
      const file = join(folder, path);
      const text = await readFile(file, "utf8").catch(() => "");
      const changed = change(text);
      expect(changed).not.toBe(text);
      await writeFile(file, changed);
      undo.push(() => writeFile(file, text));
    }
    const errors = await typeCheck(folder);
    await Promise.all(undo.map((step) => step()));
    expect(errors).toEqual([expect.stringMatching(error)]);
  });
});

/** The errors, a line each, without their explanations. */
async function typeCheck(folder: string): Promise<string[]> {
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}
