import { expect, test } from "vitest";
import type { Review } from "../src/app.ts";
import type { Change } from "../src/compare/change.ts";
import { groupChanges } from "../src/group-changes.ts";
import { marker, renderMarkdown } from "../src/render-markdown.ts";
import { renderText } from "../src/render-text.ts";

const place = { document: "openapi.yaml", kind: "operation", name: "getA", address: "GET /a", at: "" } as const;

function reviewOf(changes: readonly Change[]): Review {
  const findings = groupChanges(changes);
  const open = findings.filter(({ severity }) => severity === "breaking");
  return { base: "main", commit: "0123456789abcdef", findings, open, accepted: new Map(), idle: [], isBehind: false };
}

const removed = (anchor: string): Change => ({ rule: "operation-removed", anchor, before: "GET /a", after: "", place });

test("thousands of changes stay one comment that GitHub takes, the worst of them first", () => {
  const added = (anchor: string): Change => ({ rule: "operation-added", anchor, after: "GET /a", place });
  const names = Array.from({ length: 2000 }, (_, index) => `operation${index}`);
  const text = renderMarkdown(reviewOf([...names.map(added), removed("theWorst")]));
  expect(text.length).toBeLessThan(65_536);
  expect(text.startsWith(`${marker}\n## Spec review: 1 breaking, 0 needs attention, 2000 additive`)).toBe(true);
  expect(text).toContain("theWorst");
  expect(text).toMatch(/\d{4} more do not fit into a comment/);
  expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
});

test.each([
  "`@everybody`",
  "</details><img src=https://evil.example/a.png>",
  "a\n\n## Spec review: nothing changed",
  "\u001b[2J",
])("%j in a name of the document is text and nothing else", (name) => {
  const review = reviewOf([{ ...removed(name), place: { ...place, name, address: name, at: name } }]);
  const outsideCode = renderMarkdown(review).replaceAll(/`[^`\n]*`/g, "");
  expect(outsideCode).not.toMatch(/everybody|evil|`|## Spec review: nothing/);
  // oxlint would have none of the characters that this looks for written as they are.
  expect(/[^\P{Cc}\n]/u.test(renderText(review))).toBe(false);
  expect(renderText(review)).not.toMatch(/^## /m);
});

test("the comment names the commit, and says first who is met by how much", () => {
  const text = renderMarkdown(
    reviewOf([removed("a"), { rule: "client-method-renamed", anchor: "b", before: "a.b", after: "a.c", place }]),
  );
  expect(text).toContain("Compared with `main`, commit `0123456789ab`.");
  expect(text).toMatch(/^\| `consumers` \| 1 \|/m);
  expect(text).toMatch(/^\| `users of the client and of generated clients` \| 1 \|/m);
});

test("the same change in answers and in events is told once", () => {
  const gone = (channel: "response" | "event"): Change => ({
    rule: `${channel}-field-removed`,
    anchor: "A.b",
    before: "string",
    place,
  });
  expect(groupChanges([gone("response"), gone("event")]).map(({ what }) => what)).toEqual([
    "field A.b is gone, was string (response, event)",
  ]);
});
