import { constants, generateKeyPairSync, randomUUID, sign, type JsonWebKey, type KeyObject } from "node:crypto";

/** A key pair of an identity provider, and its published part. */
export type TestSigningKey = {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JsonWebKey & { kid: string };
};

/** `pair` gives another name to an existing key, because making one takes 0.1 s of a core. */
export function createTestSigningKey({
  kid = randomUUID(),
  bits = 2048,
  pair = generateKeyPairSync("rsa", { modulusLength: bits }),
}: { kid?: string; bits?: number; pair?: Pick<TestSigningKey, "privateKey" | "publicKey"> } = {}): TestSigningKey {
  const { privateKey, publicKey } = pair;
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" },
  };
}

export type Signer = (input: Buffer) => Buffer;

export function signRs(privateKey: KeyObject, bits = 256): Signer {
  return (input) => sign(`sha${bits}`, input, privateKey);
}

export function signPs(privateKey: KeyObject): Signer {
  const options = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return (input) => sign("sha256", input, options);
}

/** A part of a token: objects as JSON, text and bytes as they are. */
export type Part = object | string | Buffer;

/** JWS compact form of any parts with any signature. Nothing is checked. */
export function writeToken(header: Part, claims: Part, signer: Signer): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signer(Buffer.from(input)).toString("base64url")}`;
}

function encode(part: Part): string {
  const bytes = typeof part === "string" || Buffer.isBuffer(part) ? part : JSON.stringify(part);
  return Buffer.from(bytes).toString("base64url");
}
