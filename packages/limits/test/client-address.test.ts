import { expect, test } from "vitest";
import { readAddress } from "../src/client-address.ts";

test.each([
  ["198.51.100.1", "198.51.100.1"],
  [" 198.51.100.1 ", "198.51.100.1"],
  ["198.51.100.1:50001", "198.51.100.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:50001", "2001:db8::1"],
  ['"[2001:db8::1]:50001"', "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["::ffff:198.51.100.1", "::ffff:198.51.100.1"],
  ["unknown", null],
  ["_hidden", null],
  ["", null],
  ["198.51.100.1:", null],
  ["198.51.100.1:123456", null],
  ["198.51.100.256", null],
  ["3325256705", null],
  ["[198.51.100.1", null],
])("%j is the address %j", (entry, address) => {
  expect(readAddress(entry)).toBe(address);
});
