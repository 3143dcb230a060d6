import { isObject } from "@gateway/forwarding";
import { importJWK, type JWK } from "jose";
import type { PublishedKey } from "./key-set.ts";

const timeoutMs = 2000;
const maxBytes = 64 * 1024;
/** RFC 7518, 3.3. */
const minModulusBits = 2048;

/** The RSA keys of a JWK Set (RFC 7517, 5) for RS256, read within 2 s and 64 KiB. A redirect is a failure. */
export async function readKeySet(url: string): Promise<PublishedKey[]> {
  const response = await fetch(url, {
    redirect: "error",
    headers: { Accept: "application/jwk-set+json, application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The identity provider answered ${response.status} for its keys.`);
  }
  const keys = await Promise.all(
    jwksOf(await readText(response))
      .filter(isForSigning)
      .map(importKey),
  );
  const usable = keys.filter((key) => key !== null);
  if (usable.length === 0 || new Set(usable.map(({ kid }) => kid)).size < usable.length) {
    throw new Error("The identity provider publishes no key for RS256, or two of one name.");
  }
  return usable;
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) {
      throw new Error(`The identity provider's keys are larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jwksOf(text: string): unknown[] {
  const set: unknown = JSON.parse(text);
  if (typeof set !== "object" || set === null || !("keys" in set) || !Array.isArray(set.keys)) {
    throw new Error("The identity provider's keys are not a JWK Set.");
  }
  return set.keys;
}

type PublicRsaJwk = JWK & { kid: string; n: string; e: string };

/** A private key (`d`) that was published is compromised, so it verifies nothing. */
function isForSigning(entry: unknown): entry is PublicRsaJwk {
  if (!isObject(entry)) {
    return false;
  }
  const { kty, kid, n, e, use, alg, d } = entry;
  const isNamedRsa = kty === "RSA" && [kid, n, e].every((member) => typeof member === "string" && member !== "");
  return isNamedRsa && (use ?? "sig") === "sig" && (alg ?? "RS256") === "RS256" && d === undefined;
}

/** Null when the key is too weak, or broken. */
async function importKey({ kid, n, e }: PublicRsaJwk): Promise<PublishedKey | null> {
  const key = await importJWK({ kty: "RSA", n, e }, "RS256").catch(() => null);
  if (key === null || key instanceof Uint8Array) {
    return null;
  }
  // The algorithm of an RSA key is an RsaKeyAlgorithm, which has it. That of another key lacks it.
  const { modulusLength } = key.algorithm as { modulusLength?: number };
  return modulusLength !== undefined && modulusLength >= minModulusBits ? { kid, key, text: `${n} ${e}` } : null;
}
