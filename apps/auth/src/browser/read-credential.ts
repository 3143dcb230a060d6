import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

type Credential = AuthenticationResponseJSON | RegistrationResponseJSON;

/** A credential id has at most 1023 bytes (WebAuthn Level 3, 5.8.3). */
const idPattern = /^[\w-]{1,1364}$/;

/** The JSON of a credential, or null. Only what finds the passkey is checked: the library checks the rest. */
export function readCredential<Kind extends Credential>(text: string): Kind | null {
  const value = parse(text);
  const isCredential =
    isObject(value) &&
    typeof value["id"] === "string" &&
    idPattern.test(value["id"]) &&
    isObject(value["response"]) &&
    typeof value["response"]["clientDataJSON"] === "string" &&
    ["string", "undefined"].includes(typeof value["response"]["userHandle"]);
  // The rest of the shape is the library's to check.
  return isCredential ? (value as unknown as Kind) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
