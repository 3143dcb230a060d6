import { expect, test } from "vitest";
import { acceptChanges, parseNotes } from "../src/accepted-notes.ts";
import { groupChanges } from "../src/group-changes.ts";

const place = { document: "openapi.yaml", kind: "operation", name: "getA", address: "GET /a", at: "" } as const;
const findings = groupChanges([
  { rule: "operation-removed", anchor: "getA", before: "GET /a", after: "", place },
  { rule: "operation-removed", anchor: "getB", before: "GET /b", after: "", place: { ...place, name: "getB" } },
  { rule: "operation-added", anchor: "getC", after: "GET /c", place: { ...place, name: "getC" } },
]);
const idOf = (anchor: string): string => findings.find(({ what }) => what.includes(anchor))?.id ?? "";
const [a, b, c] = [idOf("getA"), idOf("getB"), idOf("getC")];
const read = (text: string): ReturnType<typeof acceptChanges> => acceptChanges(findings, parseNotes("n.md", text));

test.each([
  ["a line", `x-breaking-accepted: ${a} Agreed.`],
  ["a line with Windows' ends", `Words.\r\nx-breaking-accepted: ${a} Agreed.\r\n`],
  ["a list item, the id quoted", `---\n"p": major\n---\n\n- x-breaking-accepted: \`${a}\` Agreed.`],
  ["behind an empty front matter", `---\n---\n\nx-breaking-accepted: ${a} Agreed.`],
])("a note as %s accepts the change it names and no other", (_name, text) => {
  const { accepted, idle } = read(text);
  expect([...accepted]).toEqual([[a, { file: "n.md", id: a, reason: "Agreed." }]]);
  expect(idle).toEqual([]);
});

test("two notes accept two changes", () => {
  const { accepted } = read(`x-breaking-accepted: ${a} One.\nx-breaking-accepted: ${b} Two.`);
  expect([...accepted.keys()]).toEqual([a, b]);
});

test.each([
  ["no reason", `x-breaking-accepted: ${a}`, "it says no reason"],
  ["blanks for a reason", `x-breaking-accepted: ${a}   \n`, "it says no reason"],
  ["no id", "x-breaking-accepted:", "it names no change"],
  ["an id of nothing", "x-breaking-accepted: operation-removed:getZ~00000000 Agreed.", "there is no such change"],
  ["a pattern", "x-breaking-accepted: operation-removed:* Agreed.", "there is no such change"],
  ["an id of the same thing, changed otherwise", `x-breaking-accepted: ${a.slice(0, -8)}00000000 Agreed.`, a],
  ["an id of what breaks nobody", `x-breaking-accepted: ${c} Agreed.`, "breaks no reader"],
])("a note with %s accepts nothing, and is told", (_name, text, fault) => {
  const { accepted, idle } = read(text);
  expect(accepted.size).toBe(0);
  expect(idle.map((note) => note.fault)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ["the front matter", `---\nx-breaking-accepted: ${a} Agreed.\n---\n`],
  ["the middle of a sentence", `Write x-breaking-accepted: ${a} Agreed.`],
])("%s is no place for a note", (_name, text) => {
  expect(parseNotes("n.md", text)).toEqual([]);
});

test("the second note for a change is told", () => {
  const { accepted, idle } = read(`x-breaking-accepted: ${a} One.\nx-breaking-accepted: ${a} Two.`);
  expect(accepted.get(a)?.reason).toBe("One.");
  expect(idle.map(({ fault }) => fault)).toEqual(["another note accepts it already"]);
});
