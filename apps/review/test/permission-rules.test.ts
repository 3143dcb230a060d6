import { expect, test } from "vitest";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import type { JsonObject } from "../src/compare/json.ts";
import { groupChanges } from "../src/group-changes.ts";

/** The ways to authenticate, each with the scopes that it needs. */
type Security = Record<string, string[]>[];

const documentOf = (security: Security): JsonObject => ({
  paths: { "/a": { get: { operationId: "getA", security, responses: {} } } },
});
const key = (...needed: string[]): Security => [{ apiKey: needed }];

test.each<[base: Security, head: Security, findings: string[]]>([
  [key("read"), key("write"), ["breaking permission-raised"]],
  [key("write"), key("admin"), ["breaking permission-raised"]],
  [key(), key("read"), ["breaking permission-raised"]],
  [key("email"), key("email", "profile"), ["breaking permission-raised"]],
  [key("email"), key("profile"), ["breaking permission-raised", "attention permission-lowered"]],
  [key("admin"), key("read"), ["attention permission-lowered"]],
  [key("email", "profile"), key("email"), ["attention permission-lowered"]],
  [[...key("read"), { oauth: ["read"] }], key("read"), ["breaking credential-refused"]],
  [key("read"), [...key("read"), { oauth: ["read"] }], ["attention credential-accepted"]],
  [key("read"), key("read"), []],
])("from %j to %j: %j", (base, head, expected) => {
  const findings = groupChanges(compareDocuments({ "a.yaml": documentOf(base) }, { "a.yaml": documentOf(head) }));
  expect(findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(expected);
});
