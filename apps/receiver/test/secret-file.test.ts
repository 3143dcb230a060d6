import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSecretFile, parseSecrets, readSecretFile } from "../src/secret-file.ts";
import { makeDataFolder } from "./support/data-folder.ts";

const [one, two, three] = ["One", "Two", "T-_"].map((end) => `whsec_${end.padStart(43, "0")}`) as [
  string,
  string,
  string,
];
const answer = { data: { id: "wh_1", secret: one, livemode: false }, meta: { requestId: "req_1" } };

test.each<[string, string, string[]]>([
  ["nothing", "", []],
  ["comments", `# ${one}\n  # not this either: ${two}`, []],
  ["a line each, with either line end and spaces", ` ${one} \r\n${three}`, [one, three]],
  ["an answer on one line, without a line end", JSON.stringify(answer), [one]],
  ["an answer on many lines", JSON.stringify(answer, null, 2), [one]],
  [
    "two answers and a line run together",
    `${JSON.stringify(answer)}${JSON.stringify({ secret: two })}${three}`,
    [one, two, three],
  ],
  ["the same secret twice", `${one}\n${one}\n${JSON.stringify(answer)}`, [one]],
  [
    "an answer without a secret",
    '{"error":{"code":"INVALID_REQUEST","message":"No."},"meta":{"requestId":"req_1"}}',
    [],
  ],
  ["one that was cut, one with more after it, words", `${one.slice(0, -1)}\n${two}0\nwhsec_\nsecret true`, []],
])("%s", (_name, text, secrets) => {
  expect(parseSecrets(text)).toEqual(secrets);
});

test("the file is its owner's alone, keeps what it holds, and explains itself without naming a secret", async () => {
  await using folder = await makeDataFolder();
  const file = join(folder.path, "deeper", "receiver-secrets");

  expect(await readSecretFile(file)).toEqual([]);
  await createSecretFile(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readSecretFile(file)).toEqual([]);
  await appendFile(file, one);
  await createSecretFile(file);
  expect(await readSecretFile(file)).toEqual([one]);
});
