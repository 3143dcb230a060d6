import { describe, expect, test } from "vitest";
import { checkPortsDiffer, portSetting } from "../src/index.ts";

describe("ports that must differ", () => {
  test.each([
    ["differ", { A: 1, B: 2, C: 3 }, []],
    ["are the same", { A: 1, B: 2, C: 1 }, ["C must differ from A: each listens on a port of its own"]],
    [
      "are all the same",
      { A: 1, B: 1, C: 1 },
      [
        "B must differ from A: each listens on a port of its own",
        "C must differ from A: each listens on a port of its own",
      ],
    ],
    ["could not be read", {}, []],
  ])("%s", (_name, read, faults) => {
    expect(checkPortsDiffer(read, ["A", "B", "C"])).toEqual(faults);
  });
});

test.each(["0", "65536", "0x50", "-1"])("%s is no port to configure", (text) => {
  expect(() => portSetting({ description: "Port", default: 8080 }).read(text)).toThrow(
    "must be a whole number from 1 to 65535",
  );
});
