import { describe, expect, test } from "vitest";
import { checkText } from "../scripts/plain-english/check-text.ts";
import { rules } from "../scripts/plain-english/rules.ts";
import type { Kind } from "../scripts/plain-english/text.ts";

type Cases = { kind?: Kind; finds: string[]; passes: string[] };

/** Texts that each rule finds, and texts near them that it lets pass. */
const cases: Record<string, Cases> = {
  "opening-of": { finds: ["Of two requests, one wins."], passes: ["Offers a discount.", "The wallets of an account."] },
  "opening-as": { finds: ["As the library does it."], passes: ["Asks the venue.", "The same as before."] },
  "opening-in": { finds: ["In minor units."], passes: ["Inserts a row.", "Minor units, in EUR."] },
  "opening-by": { finds: ["By id: the wallets."], passes: ["Bytes of the body.", "Wallets by id."] },
  "opening-where": { finds: ["Where the files are."], passes: ["Folder where files are.", "Whereabouts."] },
  "opening-who": {
    finds: ["Who signed it.", "Whoever reads it."],
    passes: ["The person who signed it.", "Who signed it?"],
  },
  "opening-what": { finds: ["What the caller sent.", "Which rows."], passes: ["The body.", "What is a wallet?"] },
  "opening-one-that": {
    finds: ["One that failed.", "Those that wait."],
    passes: ["One wallet.", "A wallet that failed."],
  },
  "opening-it-is-what": { finds: ["It is what callers read."], passes: ["It is public."] },
  "opening-so-many": {
    finds: ["So many tries."],
    passes: ["So many callers wait that none is served.", "So it ends."],
  },
  "subject-what": {
    kind: "message",
    finds: ["What you sent is not JSON."],
    passes: ["What is this?", "The body is not JSON.", "What it costs"],
  },
  "somebody-else": { finds: ["a wallet of somebody else's"], passes: ["another owner's wallet", "something else"] },
  nobody: { finds: ["nobody reads it"], passes: ["no user reads it", "nobody else's row"] },
  somebodys: { finds: ["it is anybody's key"], passes: ["the caller's key", "anybody may read"] },
  "who-calls": { finds: ["it knows who calls"], passes: ["the person who calls", "the caller"] },
  "one-as-you": { finds: ["the page where one is"], passes: ["the page where you are", "if one is due, it is sent"] },
  whoever: { finds: ["whoever asks for it"], passes: ["the person who asks for it"] },
  somebody: { finds: ["until somebody decides, somebody has it"], passes: ["a user has it", "pay somebody"] },
  "preposition-who": { finds: ["the link of who is invited"], passes: ["shows who is invited"] },
  "under-way": { finds: ["an attempt that is under way"], passes: ["an attempt in flight", "under the way of"] },
  "on-its-way": { finds: ["the money is on its way"], passes: ["an event on its way to a webhook", "in flight"] },
  worth: { finds: ["what a token is worth", "it is worth nothing"], passes: ["what a wallet is worth in dollars"] },
  "for-as-because": {
    finds: ["It stays, for it may be read.", "One at a time, for the lock is held.", "It waits, for each key has one."],
    passes: [
      "The payment failed, for you to find again.",
      "Open to all, for nobody else.",
      "One row, for the wallet that has the money.",
      "One row, for the caller.",
      "It may be empty; for a list it has two rows.",
    ],
  },
  "any-more": {
    finds: ["Nothing opens it any more."],
    passes: ["It does not exist any more.", "Any more rows are read."],
  },
  "all-that": { finds: ["Ends all that it owns."], passes: ["Ends everything that it owns.", "all that rows"] },
  lies: { finds: ["The cache lies in a folder."], passes: ["It must lie in the future.", "It is in a folder."] },
  "is-taken": { finds: ["no key is taken"], passes: ["the port is taken", "the key is taken from the file"] },
  "a-text": { finds: ["a number in a text"], passes: ["a text field", "a string"] },
  "answers-with": {
    finds: ["The gateway answers 404."],
    passes: ["The gateway returns 404.", "It answers the question."],
  },
  "a-thing": { finds: ["the id of the thing"], passes: ["the same thing", "such a thing", "something"] },
  "is-there": {
    finds: ["when the page is there."],
    passes: ["when the page exists.", "is there a page?", "what is there."],
  },
  "time-of-then": { finds: ["the price of now, in EUR"], passes: ["ahead of now, in EUR", "the current price"] },
  "in-no": {
    finds: ["It is called in no transaction."],
    passes: ["It is in no way related.", "Never in a transaction."],
  },
  "is-what": { finds: ["They are what pages show."], passes: ["This is what pages show.", "Pages show them."] },
  "nothing-of": { finds: ["nothing of it stays"], passes: ["no part of it stays", "nothing often stays"] },
  "hears-of": { finds: ["workers hear of it"], passes: ["workers are notified of it", "hears a sound"] },
  "as-many-as-may": { finds: ["as many as it may have"], passes: ["as many as it has"] },
  "also-when": { finds: ["It is sent, also when it failed."], passes: ["It is also sent when it failed."] },
  "held-against": { finds: ["held against the schema"], passes: ["held for the payment", "validated against"] },
  "runs-out": { finds: ["a link that ran out"], passes: ["it runs out of memory", "it expired"] },
  dearer: { finds: ["a dearer query"], passes: ["a more expensive query", "Dear customer"] },
  "sees-to": { finds: ["it sees to it that they run"], passes: ["it sees it run", "it ensures that they run"] },
  "hangs-on": { finds: ["nothing hangs on it"], passes: ["hangs on to the lock", "changes on read"] },
  told: { finds: ["the event is told"], passes: ["the two can be told apart", "the event is reported"] },
  "tells-of": { finds: ["an event tells of it"], passes: ["tells offline clients", "reports it"] },
  beside: { finds: ["the row beside it"], passes: ["the row next to it"] },
  twins: { finds: ["Twins wait."], passes: ["Duplicates wait.", "twine"] },
  proven: { finds: ["a proven receiver"], passes: ["a verified receiver"] },
  "negated-noun": {
    finds: ["The body is no object."],
    passes: ["There is no object.", "It is no longer read.", "has no rows"],
  },
  "no-more": { finds: ["the key works no more"], passes: ["no more than five work", "it no longer works"] },
  "came-of": {
    finds: ["shows what became of it", "what comes of a call"],
    passes: ["the outcome of it", "comes out of it"],
  },
  "of-ours": { finds: ["a page of ours"], passes: ["a page of our site", "our page"] },
  "but-for": { finds: ["all rows but for the first"], passes: ["all rows except the first", "but forever"] },
  "place-of": { finds: ["in the place of an id"], passes: ["instead of an id", "in the place where it is"] },
  "from-on": {
    finds: ["from a time of its own on."],
    passes: ["from now on.", "reads from disk on start.", "since then"],
  },
  "for-ever": { finds: ["kept for ever"], passes: ["kept forever", "for every row"] },
  "is-good": { finds: ["a link that is good for a day"], passes: ["good practice", "is good enough"] },
  "goes-on": { finds: ["the old key goes on working"], passes: ["it goes on top", "it goes online"] },
  "the-outside": { finds: ["calls of the outside"], passes: ["the outside world", "outside the database"] },
  stands: { finds: ["it stands in the log"], passes: ["a fake stands in for it", "it is in the log"] },
  "is-said": { finds: ["the amount is said"], passes: ["the amount is reported", "as he said"] },
  "is-over": { finds: ["when its time is over"], passes: ["a proxy is over there", "when it expired"] },
  "is-of": {
    finds: ["The wallet is of another account."],
    passes: ["It is of the same kind.", "the id of the wallet"],
  },
  elder: { finds: ["the elder key"], passes: ["the older key", "elderly"] },
  anew: { finds: ["it is planned anew"], passes: ["it is planned again", "a new plan"] },
  "of-what": { finds: ["an account of what is due"], passes: ["an account of due work", "sort of what?"] },
  "that-there-is": { finds: ["the only key that there is."], passes: ["so that there is a key."] },
  "that-which": { finds: ["that which follows"], passes: ["the one that follows", "that, which follows,"] },
  "never-was": { finds: ["an id that never was."], passes: ["an id that never was used"] },
  "is-asked": { finds: ["the venue is asked once"], passes: ["the user is asked to sign in"] },
  "what-was-asked": { finds: ["refuses what was asked"], passes: ["refuses the request", "what the request holds"] },
  "is-another": { finds: ["the state is another."], passes: ["is another owner's wallet", "the state differs."] },
  answer: { finds: ["the answer to a request"], passes: ["the response to a request", "answer the question"] },
  "as-it-were": { finds: ["kept for so long"], passes: ["kept for so long that it expires", "kept for 7 days"] },
  "it-may-be": { finds: ["May stay empty."], passes: ["Optional.", "It stays empty."] },
};

const ruleIdsOf = (text: string, kind: Kind): string[] =>
  checkText("sample.ts", { kind, line: 1, lines: text.split("\n"), opens: true }).map(({ rule }) => rule);

test("every rule has texts that it finds and texts that it lets pass", () => {
  expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
});

describe.each(rules.map(({ id }) => ({ id, kind: "comment" as Kind, ...cases[id] })))("$id", (rule) => {
  const { id, kind, finds = [], passes = [] } = rule;

  test.each(finds)("finds: %s", (text) => {
    expect(ruleIdsOf(text, kind)).toContain(id);
  });

  test.each(passes)("lets pass: %s", (text) => {
    expect(ruleIdsOf(text, kind)).not.toContain(id);
  });
});

test.each([
  ["a code span", "Reads `told` and `beside\nit`."],
  ["a quotation", 'The message says "nobody was told".'],
  ["an address", "See https://example.com/told/beside."],
  ["a placeholder", "The key ${told} is here."],
])("%s is not English: no rule finds its words", (_name, text) => {
  expect(ruleIdsOf(text, "comment")).toEqual([]);
});

test("a rule of openings reads neither the second paragraph, nor messages, nor Markdown", () => {
  const text = { line: 1, lines: ["What the caller sent"], opens: true };
  const found = (kind: Kind, opens: boolean) => checkText("sample.ts", { ...text, kind, opens }).length;
  expect([found("comment", true), found("comment", false), found("markdown", true), found("message", true)]).toEqual([
    1, 0, 0, 0,
  ]);
});

test("a finding names the line of its words, the words around them, and what to write", () => {
  const lines = ["The row is kept", "and a second one stays", "beside it, in the same table."];
  expect(checkText("docs/a.md", { kind: "markdown", line: 10, lines, opens: true })).toEqual([
    {
      path: "docs/a.md",
      line: 12,
      rule: "beside",
      text: "kept and a second one stays beside it, in the same table.",
      write: "next to, together with, in addition to",
    },
  ]);
});
