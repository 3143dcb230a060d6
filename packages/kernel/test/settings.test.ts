import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  booleanSetting,
  choiceSetting,
  ConfigurationError,
  encryptionKeysSetting,
  integerSetting,
  listSetting,
  originSetting,
  readSettings,
  textSetting,
  databaseUrlSetting,
  type Setting,
} from "../src/index.ts";

const settings = {
  PORT: integerSetting({ description: "a port", default: 8080, min: 1, max: 65535 }),
  LIVE: booleanSetting({ description: "live", default: false }),
  LEVEL: choiceSetting({ description: "level", default: "info", choices: ["info", "warn"] }),
  HOST: textSetting({ description: "host", default: "127.0.0.1" }),
  DATABASE: databaseUrlSetting({ description: "database", default: "none" }),
  ORIGIN: originSetting({ description: "origin", default: "none" }),
  PEERS: listSetting({
    description: "peers",
    default: "none",
    entry: "digits",
    isValid: (entry) => /^\d+$/.test(entry),
  }),
  KEYS: encryptionKeysSetting({ description: "keys", default: "none" }),
};
const key = (): string => randomBytes(32).toString("base64");

function faultsOf(env: Record<string, string>, check?: () => string[]): readonly string[] {
  try {
    readSettings(settings, env, check);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.faults;
    }
    throw error;
  }
}

describe("an environment", () => {
  test("that is empty gives the defaults, and a variable that is empty counts as unset", () => {
    const defaults = {
      PORT: 8080,
      LIVE: false,
      LEVEL: "info",
      HOST: "127.0.0.1",
      DATABASE: null,
      ORIGIN: null,
      PEERS: [],
      KEYS: null,
    };
    expect(readSettings(settings, {})).toEqual(defaults);
    expect(readSettings(settings, Object.fromEntries(Object.keys(settings).map((name) => [name, ""])))).toEqual(
      defaults,
    );
  });

  test("that is whole gives the values, frozen", () => {
    const [first, second] = [key(), key()];
    const env = {
      PORT: "1",
      LIVE: "true",
      LEVEL: "warn",
      HOST: "::",
      DATABASE: "postgres://db/x",
      ORIGIN: "https://api.example.com",
      PEERS: " 1, 2,,3 ",
      KEYS: `${first}, ${second}`,
    };
    const values = readSettings(settings, env);
    expect(values).toEqual({
      PORT: 1,
      LIVE: true,
      LEVEL: "warn",
      HOST: "::",
      DATABASE: "postgres://db/x",
      ORIGIN: "https://api.example.com",
      PEERS: ["1", "2", "3"],
      KEYS: [Buffer.from(first, "base64"), Buffer.from(second, "base64")],
    });
    expect(Object.isFrozen(values)).toBe(true);
  });

  test("with faults has all of them in one message, those of combinations too", () => {
    const env = { PORT: "0", LIVE: "yes", LEVEL: "loud", DATABASE: "mysql://db", PEERS: "1,x", KEYS: "short" };
    const faults = faultsOf(env, () => ["PORT and HOST do not go together"]);
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "PORT",
      "LIVE",
      "LEVEL",
      "DATABASE",
      "PEERS",
      "KEYS",
      "PORT",
    ]);
    const { message } = new ConfigurationError(faults);
    expect(message).toMatch(/^The configuration has 7 faults:\n/);
    expect(faults.filter((fault) => !message.includes(`  - ${fault}`))).toEqual([]);
  });

  test("with one fault says so in the singular", () => {
    expect(new ConfigurationError(faultsOf({ PORT: "x" })).message).toBe(
      'The configuration has a fault:\n  - PORT must be a whole number from 1 to 65535, not "x"',
    );
  });
});

describe("what a variable may not be", () => {
  test.each([
    ["PORT", ["0", "65536", "-1", "1.5", "1e3", "0x50", " 80", "80 ", "NaN", "9".repeat(20), "８０"]],
    ["LIVE", ["TRUE", "1", "yes", " true", "false "]],
    ["LEVEL", ["INFO", "debug", "info "]],
    ["DATABASE", ["db", "http://db", "//db", " "]],
    [
      "ORIGIN",
      [
        ...["a.example", "ftp://a.example", "https://a.example/", "https://a.example/path", "https://a.example?a=1"],
        ...[
          "https://a.example#a",
          "https://A.example",
          "HTTPS://a.example",
          "https://a.example:443",
          " https://a.example",
        ],
        ...[
          "http://a.example:80",
          "https://u@a.example",
          "https://u:p@a.example",
          "http://127.1",
          "https://a.example\n",
        ],
      ],
    ],
    ["PEERS", ["a", "1;2", "1 2"]],
    [
      "KEYS",
      [
        "a",
        "a".repeat(44),
        randomBytes(31).toString("base64"),
        randomBytes(33).toString("base64"),
        randomBytes(32).toString("hex"),
        `${key()},`,
      ],
    ],
  ])("%s: %j", (name, texts) => {
    const accepted = texts.filter((text) => faultsOf({ [name]: text }).length === 0);
    expect(accepted).toEqual([]);
  });

  test("a key whose bytes repeat is called weak", () => {
    const weak = Buffer.alloc(32, "abcd").toString("base64");
    expect(faultsOf({ KEYS: weak })).toEqual([expect.stringMatching(/^KEYS is too weak/)]);
    expect(faultsOf({ KEYS: `${key()},${weak}` })).toHaveLength(1);
  });
});

test("no fault repeats a password or a key", () => {
  const key31 = randomBytes(31).toString("base64");
  const faults = faultsOf({ DATABASE: "mysql://root:hunter2@db", KEYS: key31 }).join();
  expect(faults).toContain("DATABASE");
  expect([faults.includes("hunter2"), faults.includes(key31)]).toEqual([false, false]);
});

test("every setting has the words that the table of settings shows", () => {
  const all: Setting<unknown>[] = Object.values(settings);
  expect(all.filter(({ description, default: shown }) => description === "" || shown === "")).toEqual([]);
});
