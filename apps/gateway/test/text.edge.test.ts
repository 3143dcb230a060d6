import { digestDatabase } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid, refused } from "./support/answers.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw, askRawInTurn } from "./support/raw-http.ts";
import { useGateway } from "./support/use-gateway.ts";

const wallets = "/api/v1/wallets";
const json = { "Content-Type": "application/json" };
let key: string;

const gateway = useGateway({ keepsStill: true });
beforeAll(async () => {
  key = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
});

type Field = {
  field: string;
  target: string;
  write(value: string): string;
  read(data: never): unknown;
  /** Strangers read it on our pages, so it must not hide characters. */
  isShownToStrangers?: true;
};

/**
 * A text column, a string in JSON, and a string that strangers read. Values are JSON, because a string cannot hold some
 * of them.
 */
const fields: Field[] = [
  {
    field: "name of a wallet",
    target: wallets,
    write: (value) => `{"name":${value},"currency":"EUR"}`,
    read: ({ name }: { name: string }) => name,
  },
  {
    field: "value in metadata",
    target: wallets,
    write: (value) => `{"name":"a","currency":"EUR","metadata":{"k":${value}}}`,
    read: ({ metadata }: { metadata: { k: string } }) => metadata.k,
  },
  {
    field: "name of an OAuth application",
    target: "/api/v1/oauth-applications",
    write: (value) => `{"name":${value},"redirectUris":["https://app.example.com/"]}`,
    read: ({ name }: { name: string }) => name,
    isShownToStrangers: true,
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

  test.each(isShownToStrangers ? hidden : [])("%s: refused, because it hides something", async (_, text) => {
    expect(await post(JSON.stringify(text))).toMatchObject(invalid("name"));
  });
});

/** Before the properties of a string are checked, the body must be UTF-8 and JSON. */
test.each([
  ["NUL", '"a\\u0000b"'],
  ["half of a surrogate pair", '"a\\ud800b"'],
  ["a raw line feed", '"a\nb"'],
  ["overlong UTF-8", Buffer.from('"\xc0\x80\xe0\x80\xaf"', "latin1")],
  ["surrogates as UTF-8", Buffer.from('"\xed\xa0\x80"', "latin1")],
  ["a code point past the last", Buffer.from('"\xf4\x90\x80\x80"', "latin1")],
  ["a cut sequence", Buffer.from('"\xe2\x82"', "latin1")],
  ["Latin-1", Buffer.from('"\xe9"', "latin1")],
])("%s in a text is refused, and nothing is stored", async (_, value) => {
  const before = await digestDatabase(gateway.database);
  const body = Buffer.concat([Buffer.from('{"currency":"EUR","name":'), Buffer.from(value), Buffer.from("}")]);
  const answer = await gateway.call({ method: "POST", target: wallets, key, headers: json, body });
  expect(answer).toMatchObject(refused("INVALID_REQUEST"));
  expect(await digestDatabase(gateway.database)).toEqual(before);
});

test.each([
  ["names that JavaScript's objects know", { constructor: "a", toString: "b", hasOwnProperty: "c", valueOf: "d" }],
  [
    "50 entries of 500 emoji",
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "💥".repeat(500)])),
  ],
])("metadata of %s is stored as it was sent", async (_, metadata) => {
  const body = { name: "a", currency: "EUR", metadata };
  const created = await gateway.call({ method: "POST", target: wallets, key, body });
  expect(created.status).toBe(201);
  const { id } = (created.json as { data: { id: string } }).data;
  const found = await gateway.call({ target: `${wallets}/${id}`, key });
  expect((found.json as { data: { metadata: object } }).data.metadata).toEqual(metadata);
});

describe("both sides of the limits of a message", () => {
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
      expect(answer).toMatchObject(invalid("X-API-Key"));
    });
  });
});
