import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/custody/address-form.ts";

const sandbox = { livemode: false };
const segwit = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const taproot = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
const witness = (version: number, sizeBytes: number, coding: typeof bech32): string =>
  coding.encode("bc", [version, ...coding.toWords(new Uint8Array(sizeBytes).fill(7))]);

describe("the vectors of BIP 173, BIP 350, base58check and EIP-55", () => {
  test.each([
    ["bitcoin", segwit, "mainnet"],
    ["bitcoin", segwit.toUpperCase(), "mainnet"],
    ["bitcoin", taproot, "mainnet"],
    ["bitcoin", "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", "testnet"],
    ["bitcoin", "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", "testnet"],
    ["bitcoin", bech32.encode("bcrt", [0, ...bech32.toWords(new Uint8Array(20))]), "testnet"],
    ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "mainnet"],
    ["bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "mainnet"],
    ["bitcoin", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "testnet"],
    ["bitcoin", "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "testnet"],
    ["ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "any"],
    ["ethereum", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb", "any"],
    ["ethereum", "0x52908400098527886E0F7030069857D2E4169EE7", "any"],
    ["ethereum", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "any"],
  ] as const)("%s: %s is of %s", (network, text, chain) => {
    const keepsItsCase = /^[123mn]/.test(text);
    expect(readAddress(network, text, sandbox)).toEqual({
      isValid: true,
      address: keepsItsCase ? text : text.toLowerCase(),
      chain,
    });
    // Production does not send to test networks.
    expect(readAddress(network, text, { livemode: true })).toMatchObject(
      chain === "testnet"
        ? { isValid: false, problem: expect.stringContaining("belongs to a test network") as string }
        : { isValid: true, chain },
    );
  });
});

test.each([
  ["bitcoin", `${segwit.slice(0, -1)}5`, "check digits do not fit"],
  ["bitcoin", taproot.replace("p0xl", "p0xx"), "check digits do not fit"],
  ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "check digits do not fit"],
  ["bitcoin", "lt1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "begins with 1, 3 or bc1"],
  ["bitcoin", "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1", "belongs to something else"],
  ["bitcoin", "bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "all lower case or all upper case"],
  ["bitcoin", witness(0, 20, bech32m), "needs the check digits of bech32"],
  ["bitcoin", witness(1, 32, bech32), "needs the check digits of bech32m"],
  ["bitcoin", witness(2, 32, bech32m), "witness version is 2"],
  ["bitcoin", witness(0, 21, bech32), "must have 20 or 32 bytes"],
  ["bitcoin", witness(1, 20, bech32m), "must have 32 bytes"],
  ["bitcoin", "bc1", "check digits do not fit"],
  ["bitcoin", "", "begins with 1, 3 or bc1"],
  ["ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "EIP-55"],
  ["ethereum", "0x5AAEB6053f3e94c9b9a09f33669435e7ef1beaed", "EIP-55"],
  ["ethereum", "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "40 hexadecimal digits"],
] as const)("%s: %j is refused, and says why", (network, text, problem) => {
  expect(readAddress(network, text, sandbox)).toMatchObject({
    isValid: false,
    problem: expect.stringContaining(problem) as string,
  });
});

test.each([segwit, taproot, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"])(
  "no single mistyped character of %s passes",
  (address) => {
    const alphabet = "023456789acdefghjklmnpqrstuvwxyz";
    const isAccepted = (place: number, letter: string): boolean =>
      readAddress("bitcoin", address.slice(0, place) + letter + address.slice(place + 1), sandbox).isValid;
    const accepted = Array.from(address).flatMap((own, place) =>
      Array.from(alphabet)
        .filter((letter) => letter !== own && isAccepted(place, letter))
        .map((letter) => [place, letter]),
    );
    expect(accepted).toEqual([]);
  },
);

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "bc1", "tb1q", "BC1P", "1", "0x"), fc.string({ maxLength: 110 }), (start, rest) => {
      expect(readAddress("bitcoin", start + rest, sandbox).isValid).toBeTypeOf("boolean");
      expect(readAddress("ethereum", start + rest, sandbox).isValid).toBeTypeOf("boolean");
    }),
  );
});
