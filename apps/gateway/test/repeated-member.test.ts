import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRepeatedMember } from "../src/validation/repeated-member.ts";

describe("a member that is named twice is found", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"b":{"c":{},"c":[]}}', "b.c"],
    ['{"a":[{"b":1},{"b":1,"b":2}]}', "a.b"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"a" \n :1,\t"a":2}', "a"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"a":"}","a":"{"}', "a"],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
  ])("%s", (json, found) => {
    expect(findRepeatedMember(json)).toBe(found);
  });

  test("in any document, when one of its members is written again", () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
    fc.assert(
      fc.property(objects, fc.json(), fc.nat(), (object, value, index) => {
        const names = Object.keys(object);
        const name = names[index % names.length] ?? "";
        const again = `{${JSON.stringify(name)} : ${value},${JSON.stringify(object).slice(1)}`;
        expect(findRepeatedMember(again)).toBe(name);
        expect(findRepeatedMember(`{"in":[{},${again}]}`)).toBe(`in.${name}`);
      }),
    );
  });
});

describe("nothing is found where there is nothing", () => {
  test.each([
    '{"a":{"b":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1","b":"a"}',
    '"a"',
    "[]",
    "1",
    '{"a":"a:"}',
  ])("%s", (json) => {
    expect(findRepeatedMember(json)).toBe(null);
  });

  test("in any document that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(findRepeatedMember(JSON.stringify(JSON.parse(json)))).toBe(null);
      }),
    );
  });
});
