import { ConfigurationError, readSettings } from "@gateway/kernel";
import { describe, expect, test } from "vitest";
import { checkUpstreams, fingerprintUpstreams, upstreamsConfigOf, upstreamSettings } from "../src/index.ts";

const secret = "4Zp0u3r7mWqYc1sVb9xKd6Jt2nLfGh8E";
const url = "https://service.example.com";
const five = ["CUSTODY", "EXECUTION", "LEDGER", "ORCHESTRA", "PORTFOLIO"];
const eight = [...five, "IDENTITY", "MARKET_DATA", "ORACLE"];

const envOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`${name}_UPSTREAM`, url],
      [`${name}_UPSTREAM_SECRET`, secret],
    ]),
  );

/** The services that are upstreams, or every fault. */
function read(env: Record<string, string>, livemode = false): readonly string[] {
  try {
    const values = readSettings(upstreamSettings, env, (found) => checkUpstreams({ ...found, LIVEMODE: livemode }));
    return upstreamsConfigOf(values).upstreams.map(({ service }) => service);
  } catch (error) {
    return error instanceof ConfigurationError ? error.faults : [String(error)];
  }
}

describe("which services may be somebody else's", () => {
  test.each([
    ["none", [], []],
    ["identity alone", ["IDENTITY"], ["identity"]],
    ["market data alone", ["MARKET_DATA"], ["market-data"]],
    ["the oracle alone", ["ORACLE"], ["oracle"]],
    ["the three that others read", ["IDENTITY", "MARKET_DATA", "ORACLE"], ["identity", "market-data", "oracle"]],
    ["the five that move money", five, ["custody", "execution", "ledger", "orchestra", "portfolio"]],
    [
      "all eight",
      eight,
      ["custody", "execution", "identity", "ledger", "market-data", "oracle", "orchestra", "portfolio"],
    ],
  ])("%s", (_name, names, services) => {
    expect(read(envOf(names))).toEqual(services);
    expect(read(envOf(names), true)).toEqual(services);
  });

  test("of the five every part is refused, and what is missing is named", () => {
    for (let bits = 1; bits < 2 ** five.length - 1; bits += 1) {
      const some = five.filter((_name, place) => (bits >> place) & 1);
      const missing = five.filter((name) => !some.includes(name)).map((name) => `${name}_UPSTREAM`);
      expect(read(envOf(some))).toEqual([expect.stringMatching(`^${missing.join(", ")} missing: .* all five`)]);
    }
  });
});

describe("a fault stops the start", () => {
  const one = envOf(["IDENTITY"]);

  test.each([
    ["an address without its secret", { ...one, IDENTITY_UPSTREAM_SECRET: "" }, "IDENTITY_UPSTREAM_SECRET is needed"],
    ["a secret without its address", { ...one, IDENTITY_UPSTREAM: "" }, "IDENTITY_UPSTREAM is needed"],
    ["a path", { ...one, IDENTITY_UPSTREAM: `${url}/v2` }, "IDENTITY_UPSTREAM must be an origin alone"],
    ["http to another machine", { ...one, IDENTITY_UPSTREAM: "http://10.0.0.7" }, "must begin with https://"],
    ["a time of less than 100 ms", { ...one, UPSTREAM_TIMEOUT_MS: "99" }, "UPSTREAM_TIMEOUT_MS must be"],
    ["a time of more than 20 s", { ...one, UPSTREAM_TIMEOUT_MS: "20001" }, "UPSTREAM_TIMEOUT_MS must be"],
    ["a secret of 31 characters", { ...one, IDENTITY_UPSTREAM_SECRET: secret.slice(1) }, "is too weak"],
    ["a secret of 11 characters", { ...one, IDENTITY_UPSTREAM_SECRET: "abcdefghijk".repeat(4) }, "is too weak"],
  ])("%s", (_name, env, fault) => {
    expect(read(env)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    [
      "a secret of 32 characters, 12 of them different",
      { IDENTITY_UPSTREAM_SECRET: "abcdefghijkl".repeat(3).slice(4) },
    ],
    ["a time of 100 ms", { UPSTREAM_TIMEOUT_MS: "100" }],
    ["a time of 20 s", { UPSTREAM_TIMEOUT_MS: "20000" }],
    ["http on this machine", { IDENTITY_UPSTREAM: "http://127.0.0.1:8181" }],
  ])("%s is taken", (_name, env) => {
    expect(read({ ...one, ...env })).toEqual(["identity"]);
  });

  test("http on this machine in production", () => {
    expect(read({ ...one, IDENTITY_UPSTREAM: "http://127.0.0.1:8181" }, true)).toEqual([
      "IDENTITY_UPSTREAM must begin with https:// in production (LIVEMODE=true)",
    ]);
  });

  test("one secret for two addresses: who has it could speak as the other", () => {
    const env = { ...envOf(["IDENTITY", ...five]), IDENTITY_UPSTREAM: "https://identity.example.com" };
    expect(read(env)).toEqual([expect.stringMatching(/IDENTITY_UPSTREAM_SECRET.* must differ/)]);
  });

  test("a fault never repeats a secret", () => {
    expect(read({ ...one, IDENTITY_UPSTREAM_SECRET: "hunter2" }).join()).not.toContain("hunter2");
  });
});

describe("the fingerprint by which processes are compared", () => {
  const oracle = { service: "oracle", url } as const;
  const identity = { service: "identity", url: "https://identity.example.com" } as const;

  test("is the same for the same services at the same addresses, in whatever order", () => {
    expect(fingerprintUpstreams([oracle, identity])).toMatch(/^[0-9a-f]{12}$/);
    expect(fingerprintUpstreams([identity, { ...oracle, url: `${url}/` }])).toBe(
      fingerprintUpstreams([oracle, identity]),
    );
    expect(fingerprintUpstreams([])).toBe("none");
  });

  test("differs by a service and by an address, and not by a secret", () => {
    const different = [[oracle], [identity], [oracle, identity], [{ ...oracle, url: "https://other.example.com" }]];
    expect(new Set(different.map(fingerprintUpstreams)).size).toBe(different.length);
    const withSecret = { ...oracle, secret };
    expect(fingerprintUpstreams([withSecret])).toBe(fingerprintUpstreams([oracle]));
  });
});
