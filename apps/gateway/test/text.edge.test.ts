import { eventTypes } from "@gateway/contract";
import { digestDatabase } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw, askRawInTurn } from "./support/raw-http.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const json = { "Content-Type": "application/json" };
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway({ keepsStill: true });
  key = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
});
afterAll(() => gateway.stop());

type Field = {
  field: string;
  target: string;
  write(value: string): string;
  read(data: never): unknown;
  /** Strangers read it on our pages. */
  isShownToStrangers?: true;
};

/** Every field that takes free text, and how to write it and read it back. Values are JSON, for some cannot be held in a string. */
const fields: Field[] = [
  {
    field: "name of a wallet",
    target: wallets,
    write: (value) => `{"name":${value},"currency":"EUR"}`,
    read: ({ name }: { name: string }) => name,
  },
  {
    field: "name of an API key",
    target: "/api/v1/api-keys",
    write: (value) => `{"name":${value},"permission":"read"}`,
    read: ({ name }: { name: string }) => name,
  },
  {
    field: "name of an OAuth application",
    target: "/api/v1/oauth-applications",
    write: (value) => `{"name":${value},"redirectUris":["https://app.example.com/"]}`,
    read: ({ name }: { name: string }) => name,
    isShownToStrangers: true,
  },
  {
    field: "description of a webhook",
    target: "/api/v1/webhooks",
    write: (value) => `{"url":"https://hooks.example.com","events":["wallet.created"],"description":${value}}`,
    read: ({ description }: { description: string }) => description,
  },
  {
    field: "value in metadata",
    target: wallets,
    write: (value) => `{"name":"a","currency":"EUR","metadata":{"k":${value}}}`,
    read: ({ metadata }: { metadata: { k: string } }) => metadata.k,
  },
];

const hidden: readonly [name: string, text: string][] = [
  ["right to left", "\u202eمحفظة\u202c"],
  ["a byte order mark", "\ufeffa"],
  ["invisible characters", "\u200b\u2060\u00ad"],
  ["line separators", "a\u2028b\u2029c"],
];

describe.each(fields)("the $field", ({ target, write, read, isShownToStrangers }) => {
  const post = (value: string | Buffer): Promise<Answer> => {
    const [before = "", after = ""] = write("|").split("|");
    return gateway.call({
      method: "POST",
      target,
      key,
      headers: json,
      body: Buffer.concat([Buffer.from(before), Buffer.from(value), Buffer.from(after)]),
    });
  };

  test.each([
    ["spaces around", " a "],
    ["quotes and backslashes", `'"\\\`$\${x}%s{{x}}`],
    ["SQL", "'); drop table wallets; --"],
    ["HTML", "<script>alert(1)</script>&amp;"],
    ["marks of two orders", "e\u0301 é ẛ̣ ﷺ"],
    ["a family of four joined emoji", "👨‍👩‍👧‍👦"],
    ["the last code points", "\u{10ffff}\u{fffff}"],
    ["non-characters", "\ufffe\uffff\ufdd0"],
    ["the replacement character", "\ufffd"],
    ["Arabic", "محفظة"],
    ...(isShownToStrangers ? [] : hidden),
  ])("%s: read back as it was sent", async (_, text) => {
    const created = await post(JSON.stringify(text));
    expect(created).toMatchObject({ status: 201 });
    const { id } = (created.json as { data: { id: string } }).data;
    const found = await gateway.call({ target: `${target}/${id}`, key });
    expect([created, found].map((answer) => read((answer.json as { data: never }).data))).toEqual([text, text]);
  });

  test.each(isShownToStrangers ? hidden : [])("%s: refused, for it hides something", async (_, text) => {
    expect(await post(JSON.stringify(text))).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: "name" }] } },
    });
  });

  test.each([
    ["NUL", '"a\\u0000b"'],
    ["NUL alone", '"\\u0000"'],
    ["the first half of a surrogate pair", '"a\\ud800b"'],
    ["the second half of a surrogate pair", '"\\udc00"'],
    ["the halves in the wrong order", '"\\udc00\\ud800"'],
    ["10,000 characters", JSON.stringify("a".repeat(10_000))],
    ["10,000 emoji", JSON.stringify("💥".repeat(10_000))],
    ["a raw line feed", '"a\nb"'],
    ["overlong UTF-8", Buffer.from('"\xc0\x80\xe0\x80\xaf"', "latin1")],
    ["surrogates as UTF-8", Buffer.from('"\xed\xa0\x80"', "latin1")],
    ["a code point past the last", Buffer.from('"\xf4\x90\x80\x80"', "latin1")],
    ["a cut sequence", Buffer.from('"\xe2\x82"', "latin1")],
    ["Latin-1", Buffer.from('"\xe9"', "latin1")],
    ["a number", "1"],
    ["null", "null"],
    ["a list", '["a"]'],
  ])("%s: refused, and nothing is stored", async (_, value) => {
    const before = await digestDatabase(gateway.database);
    expect(await post(value)).toMatchObject({ status: 400, json: { error: { code: "INVALID_REQUEST" } } });
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });
});

describe("control characters in a name", () => {
  test.each(["\u0001", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009f"])(
    "%j is refused, and named",
    async (character) => {
      const answer = await gateway.call({
        method: "POST",
        target: wallets,
        key,
        body: { name: `a${character}`, currency: "EUR" },
      });
      expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ field: "name" }] } } });
    },
  );
});

describe("both sides of each limit of a webhook", () => {
  const webhook = { url: "https://hooks.example.com/", events: ["wallet.created"] };

  test.each([
    ["description of 0 characters", { description: "" }, 400],
    ["description of 1 character", { description: "a" }, 201],
    ["description of 500 emoji", { description: "💥".repeat(500) }, 201],
    ["description of 501 characters", { description: "a".repeat(501) }, 400],
    ["url of 2048 characters", { url: webhook.url.padEnd(2048, "a") }, 201],
    ["url of 2049 characters", { url: webhook.url.padEnd(2049, "a") }, 400],
    ["no type", { events: [] }, 400],
    ["all types", { events: eventTypes }, 201],
    ["all types and one twice", { events: [...eventTypes, eventTypes[0]] }, 400],
    ["one type twice", { events: ["wallet.created", "wallet.created"] }, 400],
  ])("%s", async (_, change, status) => {
    const answer = await gateway.call({
      method: "POST",
      target: "/api/v1/webhooks",
      key,
      body: { ...webhook, ...change },
    });
    const [field] = Object.keys(change);
    expect(answer).toMatchObject({ status, ...(status === 400 && { json: { error: { details: [{ field }] } } }) });
  });
});

describe("both sides of each limit", () => {
  const create = async (change: object): Promise<number> =>
    (await gateway.call({ method: "POST", target: wallets, key, body: { name: "a", currency: "EUR", ...change } }))
      .status;
  const entries = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

  test.each([
    ["name of 0 characters", { name: "" }, 400],
    ["name of 1 character", { name: "a" }, 201],
    ["name of 100 characters", { name: "a".repeat(100) }, 201],
    ["name of 101 characters", { name: "a".repeat(101) }, 400],
    ["name of 100 emoji, which are 200 units of UTF-16", { name: "💥".repeat(100) }, 201],
    ["name of 101 emoji", { name: "💥".repeat(101) }, 400],
    ["no metadata", { metadata: {} }, 201],
    ["50 entries of metadata", { metadata: entries(50) }, 201],
    ["51 entries of metadata", { metadata: entries(51) }, 400],
    ["a metadata key of 40 characters", { metadata: { ["k".repeat(40)]: "" } }, 201],
    ["a metadata key of 41 characters", { metadata: { ["k".repeat(41)]: "" } }, 400],
    ["an empty metadata key", { metadata: { "": "a" } }, 400],
    ["a metadata value of 500 characters", { metadata: { k: "v".repeat(500) } }, 201],
    ["a metadata value of 501 characters", { metadata: { k: "v".repeat(501) } }, 400],
    [
      "50 entries of 500 emoji",
      { metadata: Object.fromEntries(Object.keys(entries(50)).map((name) => [name, "💥".repeat(500)])) },
      201,
    ],
  ])("%s", async (_, change, status) => {
    expect(await create(change)).toBe(status);
  });

  test("metadata keeps names that JavaScript objects know, and refuses __proto__", async () => {
    const metadata = { constructor: "a", toString: "b", hasOwnProperty: "c", valueOf: "d" };
    const answer = await gateway.call({
      method: "POST",
      target: wallets,
      key,
      body: { name: "a", currency: "EUR", metadata },
    });
    expect((answer.json as { data: { metadata: object } }).data.metadata).toEqual(metadata);
    const body = '{"name":"a","currency":"EUR","metadata":{"__proto__":"a"}}';
    expect(await gateway.call({ method: "POST", target: wallets, key, headers: json, body })).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: "metadata.__proto__" }] } },
    });
  });

  test.each([
    [256 * 1024, 201],
    [256 * 1024 + 1, 413],
    [1024 * 1024, 413],
  ])("a body of %i bytes, with its length and in chunks, is %i", async (sizeBytes, status) => {
    const body = '{"name":"a","currency":"EUR"'.padEnd(sizeBytes - 1, " ") + "}";
    for (const headers of [json, { ...json, "Transfer-Encoding": "chunked" }]) {
      const answer = await gateway.call({ method: "POST", target: wallets, key, headers, body });
      expect(answer.status).toBe(status);
      expect(answer.text.includes("PAYLOAD_TOO_LARGE")).toBe(status === 413);
    }
  });

  describe("of the headers", () => {
    const request = (sizeBytes: number): string => {
      const head = `GET ${wallets} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nX-Pad: `;
      return `${head}${"a".repeat(sizeBytes - head.length - 4)}\r\n\r\n`;
    };
    const tooLarge = { status: 431, headers: { connection: "close" }, json: { error: { code: "HEADERS_TOO_LARGE" } } };

    test("16 KiB pass", async () => {
      expect((await askRaw(gateway.port, request(16 * 1024))).status).toBe(200);
    });

    test.each([17_000, 1_000_000])(
      "%i bytes are 431 in the envelope, with the state of the limit",
      async (sizeBytes) => {
        const answer = await askRaw(gateway.port, request(sizeBytes));
        expectOurAnswer(answer, {});
        expect(answer).toMatchObject(tooLarge);
      },
    );

    test("too many in a later request of a connection are 431 as well", async () => {
      const [first, second] = await askRawInTurn(gateway.port, [request(1000), request(17_000)]);
      expect([first?.status, second]).toMatchObject([200, tooLarge]);
    });

    test("a target of 17,000 bytes is 431", async () => {
      expect(await askRaw(gateway.port, `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatchObject(
        tooLarge,
      );
    });

    test("none is dropped, however many there are: a second key behind 3,000 others is seen", async () => {
      const head = `GET ${wallets} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n`;
      const answer = await askRaw(gateway.port, `${head}${"a:\r\n".repeat(3000)}X-API-Key: ${key}\r\n\r\n`);
      expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ field: "X-API-Key" }] } } });
    });
  });
});
