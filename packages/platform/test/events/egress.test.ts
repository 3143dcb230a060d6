import { describe, expect, test } from "vitest";
import { findUrlProblem, resolveHost } from "../../src/events/egress.ts";
import { isPublicAddress } from "@gateway/engine/public-host";
import { words } from "@gateway/testkit";

const nowhere = { allowedHosts: [] };

describe("a webhook URL of the public internet is accepted", () => {
  test.each([
    ...words`
      https://example.com https://example.com/hooks?key=1 https://EXAMPLE.com/Hooks https://example.com:443/
      https://example.com:1024/ https://example.com:8443/ https://example.com:65535/ https://example.com./
      https://bücher.example.de/ https://hooks.example.com/a@b https://example.com/?u=a@b
      https://my_host.example.com/ https://localhost.example.com/ https://notlocalhost.com/ https://8.8.8.8/
      https://[2606:4700:4700::1111]/
    `,
    `https://example.com/${"a".repeat(2028)}`,
  ])("%s", (url) => {
    expect(findUrlProblem(url, nowhere)).toBeNull();
  });
});

describe("any other URL is refused", () => {
  test.each([
    "",
    ...words`
      example.com http://example.com ftp://example.com file:///etc/passwd //example.com https:example.com
      https:/example.com
    `,
    "https:\\\\example.com",
    ...words`
      https:// https:/// https://example.com:22 https://example.com:0 https://example.com:80
      https://example.com:1023 https://example.com:65536 https://user@example.com https://user:password@example.com
      https://:password@example.com https://@example.com https://%75ser@example.com
    `,
    " https://example.com",
    "https://example.com ",
    "https://exa\tmple.com",
    "https://example.com/\n",
    "https://example.com\u0000",
    "https://example.com\\@localhost/",
    "https://exa\u00admple.com",
    ...words`
      https://localhost https://LOCALHOST https://localhost. https://localhost.. https://localhost:8443
      https://api.localhost https://localhost.localdomain https://%6cocalhost
    `,
    "https://loc\u200balhost",
    ...words`
      https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ https://ip6-localhost https://intranet https://printer.local
      https://metadata.google.internal https://router.home.arpa https://127.0.0.1 https://127.0.0.1. https://127.1
      https://2130706433 https://0x7f000001 https://0x7f.1 https://0177.0.0.1 https://017700000001 https://①②⑦.⓪.⓪.①
      https://127。0。0。1 https://0 https://0.0.0.0 https://10.0.0.1 https://172.16.0.1 https://172.31.255.255
      https://192.168.1.1 https://100.64.0.1 https://169.254.169.254 https://2852039166 https://224.0.0.1
      https://255.255.255.255 https://198.18.0.1 https://[::1] https://[::] https://[0:0:0:0:0:0:0:1]
      https://[::ffff:127.0.0.1] https://[::ffff:7f00:1] https://[::127.0.0.1] https://[64:ff9b::a9fe:a9fe]
      https://[2002:7f00:1::] https://[fd00::1] https://[fe80::1] https://[fe80::1%25eth0] https://example.com.1
      https://example..com https://-example.com
    `,
    `https://${"a".repeat(64)}.com`,
    `https://example.com/${"a".repeat(2029)}`,
  ])("%j", (url) => {
    expect(findUrlProblem(url, nowhere)).toMatch(/^must /);
  });
});

describe("development may allow hosts by name, and nothing beside them", () => {
  const rules = { allowedHosts: ["localhost", "127.0.0.1", "::1"] };

  test.each([
    "https://localhost:9443/hooks",
    "https://LOCALHOST:9443",
    "https://127.0.0.1:9443",
    "https://127.1:9443",
    "https://[::1]:9443",
  ])("%s is accepted", (url) => {
    expect(findUrlProblem(url, rules)).toBeNull();
  });

  test.each([
    "http://localhost:9443",
    "https://localhost:22",
    "https://a@localhost:9443",
    "https://127.0.0.2",
    "https://localhost.",
  ])("%s is refused", (url) => {
    expect(findUrlProblem(url, rules)).toMatch(/^must /);
  });
});

describe("an address is public only when it is global unicast", () => {
  test.each(words`
    1.1.1.1 8.8.8.8 93.184.215.14 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 2606:4700:4700::1111
    2a00:1450:4001:81b::200e 2001:4860:4860::8888
  `)("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  const others: [kind: string, ...addresses: string[]][] = [
    ["this host", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.255.255.255", "172.16.0.1", "192.168.0.1"],
    ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
    ["link-local", "169.254.0.1", "fe80::1"],
    ["metadata", "169.254.169.254"],
    ["metadata of Alibaba", "100.100.100.200"],
    ["IETF protocols", "192.0.0.1", "2001:1ff::1"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["IPv4-mapped", "::ffff:8.8.8.8", "::ffff:7f00:1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-translated", "::ffff:0:8.8.8.8"],
    ["NAT64", "64:ff9b::8.8.8.8"],
    ["NAT64, local", "64:ff9b:1::a00:1"],
    ["discard only", "100::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["ORCHID", "2001:20::1"],
    ["6to4", "2002:7f00:1::"],
    ["segment routing", "5f00::1"],
    ["unassigned", "4000::1"],
    ["unique local", "fc00::1"],
    ["metadata of AWS", "fd00:ec2::254"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700:4700::1111%eth0"],
    ["site-local", "fec0::1"],
    ["short spelling", "127.1"],
    ["short spelling of a public one", "8.8"],
    ["one number", "134744072"],
    ["hexadecimal", "0x08080808"],
    ["octal", "010.010.010.010"],
    ["a name", "example.com"],
    ["nothing", ""],
  ];
  test.each(others.flatMap(([kind, ...addresses]) => addresses.map((address) => [kind, address] as const)))(
    "%s: %s is not",
    (_kind, address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

describe("a host is resolved once and blocked as a whole", () => {
  const answering =
    (...addresses: string[]) =>
    async () =>
      addresses;

  test("public addresses are given back", async () => {
    const resolution = await resolveHost("example.com", { ...nowhere, lookup: answering("8.8.8.8", "2606:4700::1") });
    expect(resolution).toEqual({ kind: "resolved", addresses: ["8.8.8.8", "2606:4700::1"] });
  });

  test.each([
    ["a private address", ["10.0.0.1"]],
    ["a private beside a public address", ["8.8.8.8", "127.0.0.1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["an odd spelling", ["127.1"]],
  ])("blocked: %s", async (_kind, addresses) => {
    expect(await resolveHost("example.com", { ...nowhere, lookup: answering(...addresses) })).toEqual({
      kind: "blocked",
    });
  });

  test.each(["127.0.0.1", "::1", "localhost", "intranet", "169.254.169.254"])(
    "blocked without a look-up: %s",
    async (host) => {
      const lookup = () => Promise.reject(new Error("looked up"));
      expect(await resolveHost(host, { ...nowhere, lookup })).toEqual({ kind: "blocked" });
    },
  );

  test("an allowed name may have a private address", async () => {
    const resolution = await resolveHost("localhost", { allowedHosts: ["localhost"], lookup: answering("127.0.0.1") });
    expect(resolution).toEqual({ kind: "resolved", addresses: ["127.0.0.1"] });
  });

  test("a name without an address is unresolved, not an error", async () => {
    const lookup = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await resolveHost("example.com", { ...nowhere, lookup })).toMatchObject({ kind: "unresolved" });
    expect(await resolveHost("example.com", { ...nowhere, lookup: answering() })).toMatchObject({ kind: "unresolved" });
  });
});
