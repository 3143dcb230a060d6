import { describe, expect, test } from "vitest";
import { authOpenapi, openapi } from "../src/index.ts";

type Found = { place: string; node: Record<string, unknown> };

/** Each object of the document but those in examples, with its place. */
function* walk(node: unknown, place = ""): Generator<Found> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) {
      yield* walk(item, `${place}/${index}`);
    }
  } else if (typeof node === "object" && node !== null) {
    yield { place, node: { ...node } };
    for (const [name, value] of Object.entries(node)) {
      if (name !== "example" && name !== "examples") {
        yield* walk(value, `${place}/${name}`);
      }
    }
  }
}

function isReferenceOrNull(forms: unknown): boolean {
  const written = Array.isArray(forms) ? forms.map((form) => JSON.stringify(form)) : [];
  return written.some((form) => form.includes("$ref")) && written.includes('{"type":"null"}');
}

/**
 * The guide "Use another client generator" says which generators work. These forms of JSON Schema are valid, and stop
 * one of them.
 */
describe.each([
  ["openapi.json", openapi],
  ["auth.json", authOpenapi],
])("generators of clients read %s", (_name, read) => {
  const found = [...walk(read())];

  test("a schema has one type, and may be null: several are told as anyOf, or oapi-codegen stops", () => {
    const several = found.filter(
      ({ node: { type } }) => Array.isArray(type) && type.filter((name) => name !== "null").length > 1,
    );
    expect(found.length).toBeGreaterThan(300);
    expect(several.map(({ place }) => place)).toEqual([]);
  });

  test("no component may be null as a whole: OpenAPI Generator's Java copies it, and refuses null inside of it", () => {
    const nullable = found.filter(
      ({ place, node: { anyOf } }) => /^\/components\/schemas\/\w+$/.test(place) && isReferenceOrNull(anyOf),
    );
    expect(nullable.map(({ place }) => place)).toEqual([]);
  });

  test("no default stands beside a reference: OpenAPI Generator writes one of a list as invalid Java", () => {
    const beside = found.filter(({ node }) => "$ref" in node && "default" in node);
    expect(beside.map(({ place }) => place)).toEqual([]);
  });
});
