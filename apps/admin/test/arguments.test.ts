import { expect, test } from "vitest";
import { prepareCommand } from "../src/app.ts";
import { parseArguments, UsageError } from "../src/arguments.ts";

const account = ["accounts", "create", "--email", "b@example.com"];
const adjust = ["ledger", "adjust", "--wallet", "wal_1"];
const ofOne = [...adjust, "--amount", "1", "--direction", "credit"];
const key = ["keys", "create", "--account", "acc_1"];

test.each([
  [["accounts", "create", "--tier", "growth"], "--email is needed"],
  [["accounts", "create", "--email", "no address", "--tier", "growth"], "--email must be"],
  [["accounts", "create", "--email", " ", "--tier", "growth"], "--email is needed"],
  [account, "--tier is needed"],
  [[...account, "--tier", "gold"], "--tier must be one of explorer, starter, growth, enterprise"],
  [[...account, "--tier", "growth", "--limit", "500"], "--limit goes with --tier enterprise only"],
  [[...account, "--tier", "enterprise", "--limit", "299"], "--limit must be a whole number from 300"],
  [[...account, "--tier", "enterprise", "--limit", "1e9"], "--limit must be a whole number from 300"],
  [["accounts", "change-tier", "--tier", "growth"], "--account is needed"],
  [["keys", "create", "--permission", "read"], "--account is needed"],
  [[...key, "--permission", "root"], "--permission must be one of read, write, admin"],
  [[...key, "--permission", "read", "--expires-in-days", "0"], "--expires-in-days must be a whole number from 1"],
  [[...key, "--permission", "read", "--name", ""], "--name is needed"],
  [["keys", "revoke", "--account", "acc_1"], "--key is needed"],
  [["ledger", "adjust"], "--wallet is needed"],
  [adjust, "--amount is needed"],
  ...["0", "-1", "1.5", "1e3", "9007199254740992"].map((amount): [string[], string] => [
    [...adjust, `--amount=${amount}`],
    "--amount must be a whole number from 1 to 9007199254740991",
  ]),
  [[...adjust, "--amount", "9007199254740991"], "--direction is needed"],
  [[...adjust, "--amount", "1", "--direction", "up"], "--direction must be one of credit, debit"],
  [ofOne, "--reason is needed"],
  [[...ofOne, "--reason", "a\u0007"], "--reason must have at most 500 characters"],
  [[...ofOne, "--reason", "a".repeat(501)], "--reason must have at most 500 characters"],
  [["accounts", "create", "--mail", "b@example.com"], "--mail"],
  [["accounts", "destroy"], "There is no command"],
  [["constructor"], "There is no command"],
])("%j is refused before anything is opened", (args, reason) => {
  const prepare = (): unknown => prepareCommand(parseArguments(args));
  expect(prepare).toThrow(UsageError);
  expect(prepare).toThrow(reason);
});

test.each([[[]], [["--help"]], [["accounts", "create", "-h"]]])("%j asks for help", (args) => {
  expect(parseArguments(args).isHelp).toBe(true);
});
