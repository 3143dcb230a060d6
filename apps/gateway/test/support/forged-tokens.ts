import { CompactEncrypt } from "jose";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { signPs, signRs, writeToken, type Part, type Signer, type TestSigningKey } from "./signing-key.ts";

/** Material of a forger: a valid token's parts, our public keys, keys of its own, and a server that waits for us. */
export type Forging = {
  nowSeconds: number;
  header: { alg: string; typ: string; kid: string };
  claims: Record<string, unknown>;
  /** The identity provider's key. Only forgeries that play its own mistakes sign with the private half. */
  key: TestSigningKey;
  stranger: TestSigningKey;
  trapUrl: string;
};

export type Forgery = [name: string, forge: (forging: Forging) => string | Promise<string>];

const none: Signer = () => Buffer.alloc(0);

/** Signed with the identity provider's own key. These members replace the valid ones, or are added. */
function signed(header: object, claims: object = {}): Forgery[1] {
  return (f) => writeToken({ ...f.header, ...header }, { ...f.claims, ...claims }, signRs(f.key.privateKey));
}

function raw(write: (f: Forging) => [header: Part, claims: Part, signer?: Signer]): Forgery[1] {
  return (f) => {
    const [header, claims, signer = signRs(f.key.privateKey)] = write(f);
    return writeToken(header, claims, signer);
  };
}

/** `change` gets the three parts of a valid token. */
function altered(change: (parts: [string, string, string], f: Forging) => string): Forgery[1] {
  return (f) => {
    const [header = "", claims = "", signature = ""] = writeToken(f.header, f.claims, signRs(f.key.privateKey)).split(
      ".",
    );
    return change([header, claims, signature], f);
  };
}

const algorithms: Forgery[] = [
  ...["none", "None", "NONE", "nOnE", "none ", ""].map((alg): Forgery => [
    `alg ${JSON.stringify(alg)}, no signature`,
    raw((f) => [{ ...f.header, alg }, f.claims, none]),
  ]),
  ...["none", "NONE"].map((alg): Forgery => [
    `alg ${alg} with a signature`,
    raw((f) => [{ ...f.header, alg }, f.claims]),
  ]),
  ["alg none without kid", raw((f) => [{ alg: "none", typ: "at+jwt" }, f.claims, none])],
  ...[256, 384, 512].flatMap((bits): Forgery[] => {
    const secrets: [string, (key: TestSigningKey) => string | Buffer][] = [
      ["PEM", (key) => key.publicKey.export({ type: "spki", format: "pem" })],
      ["PEM without its last line end", (key) => String(key.publicKey.export({ type: "spki", format: "pem" })).trim()],
      ["DER", (key) => key.publicKey.export({ type: "spki", format: "der" })],
      ["JWK", (key) => JSON.stringify(key.jwk)],
      ["modulus", (key) => Buffer.from(key.jwk.n ?? "", "base64url")],
    ];
    return secrets.map(([name, secretOf]) => [
      `HS${bits} with our public key as ${name}`,
      raw((f) => [
        { ...f.header, alg: `HS${bits}` },
        f.claims,
        (input) => createHmac(`sha${bits}`, secretOf(f.key)).update(input).digest(),
      ]),
    ]);
  }),
  ["PS256 by our key", raw((f) => [{ ...f.header, alg: "PS256" }, f.claims, signPs(f.key.privateKey)])],
  ["PS256 by our key, said to be RS256", raw((f) => [f.header, f.claims, signPs(f.key.privateKey)])],
  ["RS384 by our key", raw((f) => [{ ...f.header, alg: "RS384" }, f.claims, signRs(f.key.privateKey, 384)])],
  ["RS512 by our key", raw((f) => [{ ...f.header, alg: "RS512" }, f.claims, signRs(f.key.privateKey, 512)])],
  [
    "ES256 by a key of its own",
    raw((f) => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return [
        { ...f.header, alg: "ES256" },
        f.claims,
        (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }),
      ];
    }),
  ],
  [
    "EdDSA by a key of its own",
    raw((f) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      return [{ ...f.header, alg: "EdDSA" }, f.claims, (input) => sign(null, input, privateKey)];
    }),
  ],
  ["alg rs256", signed({ alg: "rs256" })],
  ["alg as an array", signed({ alg: ["RS256"] })],
  ["alg null", signed({ alg: null })],
  ["no alg", signed({ alg: undefined })],
];

const keys: Forgery[] = [
  ["RS256 by a stranger under our kid", raw((f) => [f.header, f.claims, signRs(f.stranger.privateKey)])],
  [
    "RS256 by a stranger under its own kid",
    raw((f) => [{ ...f.header, kid: f.stranger.kid }, f.claims, signRs(f.stranger.privateKey)]),
  ],
  ...(["our kid", "its own kid"] as const).flatMap((name): Forgery[] => {
    const offers: [string, (f: Forging) => object][] = [
      ["an embedded jwk", (f) => ({ jwk: f.stranger.jwk })],
      ["jku", (f) => ({ jku: `${f.trapUrl}/jwks` })],
      ["x5u", (f) => ({ x5u: `${f.trapUrl}/certificate` })],
      ["x5c", (f) => ({ x5c: [f.stranger.publicKey.export({ type: "spki", format: "der" }).toString("base64")] })],
    ];
    return offers.map(([offer, headerOf]) => [
      `${offer} of a stranger, ${name}`,
      raw((f) => [
        { ...f.header, ...headerOf(f), kid: name === "our kid" ? f.header.kid : f.stranger.kid },
        f.claims,
        signRs(f.stranger.privateKey),
      ]),
    ]);
  }),
  ["jku beside our own signature", (f) => signed({ jku: `${f.trapUrl}/jwks` })(f)],
  ["kid that climbs to a file", signed({ kid: "../../../../dev/null" })],
  ["kid that is SQL", signed({ kid: "' or '1'='1' --" })],
  ["kid that is a URL", (f) => signed({ kid: `${f.trapUrl}/jwks` })(f)],
  ["kid that nobody has", signed({ kid: "nobody" })],
  ["kid __proto__", raw((f) => [`{"alg":"RS256","typ":"at+jwt","kid":"__proto__"}`, f.claims])],
  ["kid constructor", signed({ kid: "constructor" })],
  ["kid with NUL", signed({ kid: "\u0000" })],
  ["kid of 2,000 characters", signed({ kid: "k".repeat(2000) })],
  ["kid empty", signed({ kid: "" })],
  ["kid as an array", (f) => signed({ kid: [f.header.kid] })(f)],
  ["kid null", signed({ kid: null })],
  ["no kid", signed({ kid: undefined })],
];

const headers: Forgery[] = [
  ["typ JWT, as an ID token has", signed({ typ: "JWT" }, { nonce: "n", auth_time: 1 })],
  ["typ application/jwt", signed({ typ: "application/jwt" })],
  ["typ as an array", signed({ typ: ["at+jwt"] })],
  ["no typ", signed({ typ: undefined })],
  ["crit of something unknown", signed({ crit: ["exp"], exp: 1 })],
  ["crit empty", signed({ crit: [] })],
  ["crit of b64, true", signed({ crit: ["b64"], b64: true })],
  [
    "b64 false: claims that are not encoded",
    (f) => {
      const header = Buffer.from(JSON.stringify({ ...f.header, crit: ["b64"], b64: false })).toString("base64url");
      const input = `${header}.${JSON.stringify(f.claims)}`;
      return `${input}.${signRs(f.key.privateKey)(Buffer.from(input)).toString("base64url")}`;
    },
  ],
  ["b64 false without crit", signed({ b64: false })],
  ["zip", signed({ zip: "DEF" })],
  ["cty: a token in a token", signed({ cty: "JWT" })],
  ["a header that is an array", raw((f) => ["[]", f.claims])],
  [
    "a header with two algs",
    raw((f) => [`{"alg":"none","alg":"RS256","typ":"at+jwt","kid":"${f.key.kid}"}`, f.claims]),
  ],
  [
    "encrypted to our public key (JWE)",
    (f) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(f.claims)))
        .setProtectedHeader({ ...f.header, alg: "RSA-OAEP-256", enc: "A256GCM" })
        .encrypt(f.key.publicKey),
  ],
];

const issuersAndAudiences: Forgery[] = [
  ["iss of the sandbox", signed({}, { iss: "https://auth.sandbox.example" })],
  ["iss with a slash", (f) => signed({}, { iss: `${String(f.claims["iss"])}/` })(f)],
  ["iss in capitals", (f) => signed({}, { iss: String(f.claims["iss"]).toUpperCase() })(f)],
  ["iss that begins as ours", (f) => signed({}, { iss: `${String(f.claims["iss"])}.evil.example` })(f)],
  ["iss as an array", (f) => signed({}, { iss: [f.claims["iss"]] })(f)],
  ["iss null", signed({}, { iss: null })],
  ["no iss", signed({}, { iss: undefined })],
  ["aud of another API", signed({}, { aud: "https://other.example" })],
  ["aud: the application, as of an ID token", (f) => signed({}, { aud: f.claims["client_id"] })(f)],
  ["aud: a list without us", signed({}, { aud: ["https://other.example", "https://third.example"] })],
  ["aud: an empty list", signed({}, { aud: [] })],
  ["aud: a list in a list", (f) => signed({}, { aud: [[f.claims["aud"]]] })(f)],
  ["aud with a slash", (f) => signed({}, { aud: `${String(f.claims["aud"])}/` })(f)],
  ["aud as an object", (f) => signed({}, { aud: { 0: f.claims["aud"] } })(f)],
  ["no aud", signed({}, { aud: undefined })],
];

const times: Forgery[] = [
  ["expired 5 s ago", (f) => signed({}, { iat: f.nowSeconds - 60, exp: f.nowSeconds - 5 })(f)],
  ["expired an hour ago", (f) => signed({}, { iat: f.nowSeconds - 7200, exp: f.nowSeconds - 3600 })(f)],
  ["no exp", signed({}, { exp: undefined })],
  ["exp as text", (f) => signed({}, { exp: String(f.nowSeconds + 60) })(f)],
  ["exp as an array", (f) => signed({}, { exp: [f.nowSeconds + 60] })(f)],
  ["exp null", signed({}, { exp: null })],
  ["exp negative", signed({}, { exp: -1 })],
  ["exp with a fraction", (f) => signed({}, { exp: f.nowSeconds + 60.5 })(f)],
  ["exp beyond every number", raw((f) => [f.header, JSON.stringify(f.claims).replace(/"exp":\d+/, '"exp":1e400')])],
  ["exp 2^53", signed({}, { exp: 2 ** 53 })],
  ["a life of more than an hour", (f) => signed({}, { exp: f.nowSeconds + 3601 })(f)],
  ["exp before iat", (f) => signed({}, { iat: f.nowSeconds + 3, exp: f.nowSeconds + 2 })(f)],
  ["nbf in 6 s", (f) => signed({}, { nbf: f.nowSeconds + 6 })(f)],
  ["nbf as text", (f) => signed({}, { nbf: String(f.nowSeconds) })(f)],
  ["iat in 6 s", (f) => signed({}, { iat: f.nowSeconds + 6 })(f)],
  ["iat as text", (f) => signed({}, { iat: String(f.nowSeconds) })(f)],
  ["no iat", signed({}, { iat: undefined })],
];

const wrongValues: [string, unknown][] = [
  ["missing", undefined],
  ["null", null],
  ["a number", 1],
  ["an array", ["usr_01kghsq31hfkftt8r0t9fm6d4b"]],
  ["an object", { toString: "a" }],
  ["empty", ""],
  ["with NUL", "a\u0000b"],
  ["of 300 characters", "a".repeat(300)],
  ["of somebody else", "usr_01kghsq31hfkftt8r0t9fm6d4b"],
];

const names: Forgery[] = [
  ...["sub", "account", "grant", "client_id"].flatMap((claim) =>
    wrongValues.map(([what, value]): Forgery => [`${claim} ${what}`, signed({}, { [claim]: value })]),
  ),
  ...wrongValues.slice(0, 6).map(([what, value]): Forgery => [`jti ${what}`, signed({}, { jti: value })]),
  ["scope as an array", signed({}, { scope: ["admin"] })],
  ["scope as a number", signed({}, { scope: 1 })],
  ["scope null", signed({}, { scope: null })],
  ["two subs", raw((f) => [f.header, `{"sub":"usr_other",${JSON.stringify(f.claims).slice(1)}`])],
  ["two accounts, ours last", raw((f) => [f.header, `{"account":"acc_other",${JSON.stringify(f.claims).slice(1)}`])],
  ["claims with spaces", raw((f) => [f.header, JSON.stringify(f.claims, null, 1)])],
  ["claims that are an array", raw((f) => [f.header, "[]"])],
  ["claims that are null", raw((f) => [f.header, "null"])],
  ["claims that are no JSON", raw((f) => [f.header, "claims"])],
  ["claims with a byte order mark", raw((f) => [f.header, `\uFEFF${JSON.stringify(f.claims)}`])],
  [
    "claims that are no UTF-8",
    raw((f) => [
      f.header,
      Buffer.concat([Buffer.from(JSON.stringify(f.claims).slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
    ]),
  ],
];

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The same bytes with other spare bits in the last character. */
function withSpareBits(part: string): string {
  return `${part.slice(0, -1)}${base64[base64.indexOf(part.slice(-1)) ^ 1]}`;
}

function flip(part: string): string {
  return `${part.slice(0, 20)}${part[20] === "A" ? "B" : "A"}${part.slice(21)}`;
}

const forms: Forgery[] = [
  ["no signature", altered(([header, claims]) => `${header}.${claims}.`)],
  ["two parts", altered(([header, claims]) => `${header}.${claims}`)],
  ["one part", altered(([header]) => header)],
  ["no header", altered(([, claims, signature]) => `.${claims}.${signature}`)],
  ["no claims", altered(([header, , signature]) => `${header}..${signature}`)],
  ["a dot too many", altered((parts) => `${parts.join(".")}.`)],
  ["a dot in front", altered((parts) => `.${parts.join(".")}`)],
  ["dots alone", () => ".."],
  ["cut short", altered((parts) => parts.join(".").slice(0, -10))],
  ["another header", altered(([header, claims, signature]) => `${flip(header)}.${claims}.${signature}`)],
  ["another byte in the claims", altered(([header, claims, signature]) => `${header}.${flip(claims)}.${signature}`)],
  ["another byte in the signature", altered(([header, claims, signature]) => `${header}.${claims}.${flip(signature)}`)],
  [
    "claims exchanged under the signature",
    altered(([header, , signature], f) => {
      const claims = Buffer.from(JSON.stringify({ ...f.claims, scope: "admin write" })).toString("base64url");
      return `${header}.${claims}.${signature}`;
    }),
  ],
  ["a signature of zeros", raw((f) => [f.header, f.claims, () => Buffer.alloc(256)])],
  ["a signature of one byte", raw((f) => [f.header, f.claims, () => Buffer.from([1])])],
  [
    "a signature with spare bits set",
    altered(([header, claims, signature]) => `${header}.${claims}.${withSpareBits(signature)}`),
  ],
  ["a signature with padding", altered((parts) => `${parts.join(".")}==`)],
  ["claims with padding", altered(([header, claims, signature]) => `${header}.${claims}=.${signature}`)],
  [
    "base64 in the place of base64url",
    altered((parts) => parts.join(".").replaceAll("-", "+").replaceAll("_", "/").concat("+")),
  ],
  ["10,000 characters of signature", altered((parts) => `${parts.join(".")}${"A".repeat(10_000)}`)],
  ["claims of 5,000 characters", (f) => signed({}, { name: "a".repeat(5000) })(f)],
  ["a word", () => "token"],
  ["an opaque token", () => "zD2vYq3nJmR8cT5wX1bK7pL4sF6hA9gE"],
];

/** Every one must be refused as invalid_token, with no request except to the identity provider. */
export const forgeries: readonly Forgery[] = [
  ...algorithms,
  ...keys,
  ...headers,
  ...issuersAndAudiences,
  ...times,
  ...names,
  ...forms,
];
