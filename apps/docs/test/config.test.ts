import { expect, test } from "vitest";
import { readDocsConfig } from "../src/config.ts";

test("the documentation is on port 8082 of this machine, unless told otherwise", () => {
  expect(readDocsConfig({})).toEqual({ port: 8082, host: "127.0.0.1" });
  expect(readDocsConfig({ DOCS_PORT: "9000", HOST: "0.0.0.0" })).toEqual({ port: 9000, host: "0.0.0.0" });
});

test("a port that is none is refused with its name", () => {
  expect(() => readDocsConfig({ DOCS_PORT: "0" })).toThrow(/DOCS_PORT must be a whole number from 1 to 65535/);
});
