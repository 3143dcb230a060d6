import { textOf, textsOf, type JsonObject } from "./json.ts";
import { tellSwitch, type Pair, type Scope } from "./scope.ts";

export const policyKeys: readonly string[] = [
  "x-client",
  "x-emits",
  "x-fresh-sign-in",
  "x-limit-store",
  "x-person",
  "x-problems",
  "x-sandbox",
  "x-service",
];

export function comparePolicies(scope: Scope, { base, head }: Pair<JsonObject>, path: string): void {
  const anchor = scope.place.name;
  compareClientName(scope, { base: textOf(base["x-client"]), head: textOf(head["x-client"]) });
  compareEmits(scope, { base, head });
  compareProblems(scope, { base, head });
  const isRequired = { base: base["x-limit-store"] === "required", head: head["x-limit-store"] === "required" };
  tellSwitch(scope, isRequired, { anchor, on: "limit-store-required", off: "limit-store-not-required" });
  const isForPeople = { base: base["x-person"] === "required", head: head["x-person"] === "required" };
  tellSwitch(scope, isForPeople, { anchor, on: "person-required", off: "person-not-required" });
  compareFreshSignIn(scope, { base: secondsOf(base), head: secondsOf(head) });
  if (scope.place.kind === "event") {
    return;
  }
  const isSandboxOnly = { base: base["x-sandbox"] === true, head: head["x-sandbox"] === true };
  tellSwitch(scope, isSandboxOnly, { anchor: path, on: "sandbox-only", off: "not-sandbox-only" });
  const [before, after] = [textOf(base["x-service"]) ?? "nobody", textOf(head["x-service"]) ?? "nobody"];
  if (before !== after) {
    scope.tell({ rule: "service-changed", anchor: path, value: `${before}>${after}`, before, after });
  }
}

function compareClientName(scope: Scope, { base, head }: Pair<string | null>): void {
  if (base !== head) {
    const rule = base === null ? "client-method-added" : "client-method-renamed";
    scope.tell({ rule, anchor: scope.place.name, before: base ?? "nowhere", after: head ?? "nowhere" });
  }
}

function compareFreshSignIn(scope: Scope, { base, head }: Pair<number>): void {
  if (base !== head) {
    const rule = head < base ? "fresh-sign-in-tightened" : "fresh-sign-in-loosened";
    scope.tell({ rule, anchor: scope.place.name, before: wordsOf(base), after: wordsOf(head) });
  }
}

function secondsOf({ "x-fresh-sign-in": seconds }: JsonObject): number {
  return typeof seconds === "number" ? seconds : Infinity;
}

function wordsOf(seconds: number): string {
  return seconds === Infinity ? "any time ago" : `at most ${seconds} s ago`;
}

function compareEmits(scope: Scope, { base, head }: Pair<JsonObject>): void {
  const anchor = scope.place.name;
  const before = new Set(textsOf(base["x-emits"]));
  const after = new Set(textsOf(head["x-emits"]));
  before.difference(after).forEach((value) => scope.tell({ rule: "emits-removed", anchor, value }));
  after.difference(before).forEach((value) => scope.tell({ rule: "emits-added", anchor, value }));
}

/** A document that did not list codes promised none of them, so the first list is not a change. */
function compareProblems(scope: Scope, { base, head }: Pair<JsonObject>): void {
  if (base["x-problems"] === undefined || head["x-problems"] === undefined) {
    return;
  }
  const before = new Set(textsOf(base["x-problems"]));
  const after = new Set(textsOf(head["x-problems"]));
  // The anchor is the code, so a code that many operations share is one change.
  before.difference(after).forEach((anchor) => scope.tell({ rule: "problem-removed", anchor }));
  after.difference(before).forEach((anchor) => scope.tell({ rule: "problem-added", anchor }));
}
