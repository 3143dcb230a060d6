import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runRedocly } from "../rules/testing/run-redocly.ts";

const components = join(import.meta.dirname, "../components");

test("a filter gets the values of its field, at the place where it refers to them", async () => {
  const filter = { description: "One.", enum: { $ref: "state.json#/enum" }, examples: ["full"] };
  const parameter = { name: "state", in: "query", schema: { $ref: "filter.json" } };
  const paths = { "/pots": { get: { parameters: [parameter], responses: { "200": { description: "It." } } } } };
  const small = { openapi: "3.1.1", info: { title: "Small", version: "1.0.0" }, paths };
  const state = { description: "All.", "x-extensible": true, enum: ["full", "empty"] };
  const files = { "small.json": small, "filter.json": filter, "state.json": state };
  const bundle = await runRedocly(["bundle", "small.json", "--ext=json"], { files });
  // Redocly CLI writes the description that it has read.
  const { schemas } = (JSON.parse(bundle) as { components: { schemas: object } }).components;
  const copied = { description: "One.", enum: ["full", "empty"], examples: ["full"] };
  expect(JSON.stringify(schemas)).toBe(JSON.stringify({ filter: copied }));
});

test("no filter of the document repeats the values of its field", () => {
  const filters = globSync("schemas/*/*Filter.yaml", { cwd: components });
  const lists = filters.flatMap((file) => readFileSync(join(components, file), "utf8").match(/^enum:.*$/m) ?? []);
  expect(lists).toContain("enum: { $ref: WalletStatus.yaml#/enum }");
  expect(lists.filter((list) => !list.startsWith("enum: { $ref: "))).toEqual([]);
});
