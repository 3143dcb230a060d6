import { beforeAll, describe, expect, test } from "vitest";
import { lintSamples } from "./support/lint-samples.ts";

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
  const samples = [...folders, "packages/client/src"].map((folder) => [`${folder}/seed.ts`, text]);
  const ours = (await lintSamples(Object.fromEntries(samples))).filter(({ code }) => code.includes("exact"));
  found = new Map(ours.map(({ filename, line, message }) => [`${filename} ${line - 1}`, message]));
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
