import { createTestFolder } from "@gateway/testkit";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pasteInto } from "./support/paste-into.ts";
import { repository } from "./support/source-files.ts";
import { documentForTypes, writeProof } from "./support/two-types.ts";

/** ADR 85: another generator could take the place of openapi-typescript, because its types are the same. */
const generator = "@hey-api/openapi-ts@0.99.0";
const config = `export default {
  input: "gateway.json",
  output: { path: "theirs" },
  plugins: ["@hey-api/typescript"],
};
`;
const tsc = join(repository, "node_modules/typescript/bin/tsc");
const compile = `${process.execPath} ${tsc} --noEmit --strict --skipLibCheck --module nodenext --target es2022 --allowImportingTsExtensions`;

test(`types by ${generator} are assignable to ours, and ours to them, for every operation`, async () => {
  const folder = await createTestFolder();
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(folder, "gateway.json"), JSON.stringify(documentForTypes()));
  await writeFile(join(folder, "openapi-ts.config.ts"), config);
  await copyFile(fileURLToPath(import.meta.resolve("@gateway/contract/published-types")), join(folder, "ours.ts"));
  const { text, compared } = writeProof({ ours: "./ours.ts", theirs: "./theirs/types.gen.ts" });
  await writeFile(join(folder, "proof.ts"), text);
  await pasteInto(folder, `npm install --save-exact ${generator} typescript@5.9.3\nnpx openapi-ts`);
  console.log(`${compared.length} types of operations are compared`);
  expect(compared.length).toBeGreaterThan(1_000);
  expect(await pasteInto(folder, `${compile} proof.ts`)).toBe("");
  // The proof fails where one side differs.
  await writeFile(join(folder, "proof.ts"), text.replace("Theirs.CreateWalletData", "Theirs.CreateWebhookData"));
  await expect(pasteInto(folder, `${compile} proof.ts`)).rejects.toThrow("onlyOurs: { name: string; currency:");
}, 900_000);
