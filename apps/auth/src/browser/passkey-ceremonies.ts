import type { Cipher, Clock } from "@gateway/kernel";
import type { Passkey, Passkeys } from "@gateway/platform/auth";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readCredential } from "./read-credential.ts";

/** WebAuthn Level 3, 7. */
export interface PasskeyCeremonies {
  /** False where browsers refuse passkeys: an issuer without a host name. */
  isAvailable: boolean;
  /** JSON for `navigator.credentials.get`: any passkey of this site that the browser knows. */
  askToSignIn(browser: string): Promise<string>;
  /** The id of the user whose passkey signed this browser's challenge, which works once. Null for anything else. */
  signIn(answer: string, browser: string): Promise<string | null>;
  /** JSON for `navigator.credentials.create`. It excludes passkeys that the user already has. */
  askToAdd(browser: string, user: { id: string; email: string; name: string }): Promise<string>;
  /** The data to store for a new passkey. Null when the credential does not match this browser's challenge. */
  add(answer: string, browser: string): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports"> | null>;
}

/** Longer than a person spends on a page. */
const challengeLifeMs = 15 * 60_000;
const nonceBytes = 16;
const timeBytes = 6;

type Purpose = "sign in" | "add";

export type PasskeyCeremoniesDeps = {
  passkeys: Pick<Passkeys, "find" | "listOfUser" | "recordUse" | "spendChallenge">;
  clock: Clock;
  cipher: Pick<Cipher, "deriveKey">;
  issuer: string;
};

/**
 * Its 170 modules are a tenth of the modules that an identity provider loads. They load at the first use of a passkey.
 */
const loadLibrary = () => import("@simplewebauthn/server");

/** A challenge is a nonce, its time and an HMAC over both and the browser. Only used challenges are stored. */
export function createPasskeyCeremonies(deps: PasskeyCeremoniesDeps): PasskeyCeremonies {
  const { passkeys } = deps;
  const { origin, hostname } = new URL(deps.issuer);
  const challenges = createChallenges(deps);
  const site = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  return {
    isAvailable: !/^[\d.]+$|^\[/.test(hostname),
    askToSignIn: async (browser) => {
      const challenge = challenges.make("sign in", browser);
      const { generateAuthenticationOptions: generate } = await loadLibrary();
      return JSON.stringify(await generate({ rpID: hostname, challenge, userVerification: "required" }));
    },
    signIn: async (answer, browser) => {
      const response = readCredential<AuthenticationResponseJSON>(answer);
      const passkey = response && (await passkeys.find(response.id));
      if (!response || !passkey || !isHandleOf(response, passkey.userId)) {
        return null;
      }
      const { verifyAuthenticationResponse } = await loadLibrary();
      const verified = await orNull(() =>
        verifyAuthenticationResponse({
          ...site,
          response,
          expectedChallenge: (challenge) => challenges.isFresh(challenge, "sign in", browser),
          credential: { ...passkey, publicKey: new Uint8Array(passkey.publicKey), transports: [] },
        }),
      );
      if (!verified?.verified || !(await challenges.spend(response))) {
        return null;
      }
      const isCounted = await passkeys.recordUse({ id: passkey.id, counter: verified.authenticationInfo.newCounter });
      return isCounted ? passkey.userId : null;
    },
    askToAdd: async (browser, user) => {
      const present = await passkeys.listOfUser(user.id);
      const { generateRegistrationOptions } = await loadLibrary();
      return JSON.stringify(
        await generateRegistrationOptions({
          rpName: "Gateway",
          rpID: hostname,
          userName: user.email,
          userDisplayName: user.name,
          userID: new Uint8Array(Buffer.from(user.id)),
          challenge: challenges.make("add", browser),
          excludeCredentials: present.map(({ id, transports }) => ({ id, transports })),
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
        }),
      );
    },
    add: async (answer, browser) => {
      const response = readCredential<RegistrationResponseJSON>(answer);
      const { verifyRegistrationResponse } = await loadLibrary();
      const verified =
        response &&
        (await orNull(() =>
          verifyRegistrationResponse({
            ...site,
            response,
            expectedChallenge: (challenge) => challenges.isFresh(challenge, "add", browser),
          }),
        ));
      if (!response || !verified?.verified || !(await challenges.spend(response))) {
        return null;
      }
      const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey), counter, transports };
    },
  };
}

function createChallenges({ clock, cipher, passkeys }: PasskeyCeremoniesDeps) {
  const key = cipher.deriveKey("passkey challenge");
  const sign = (start: Buffer, purpose: Purpose, browser: string): Buffer =>
    createHmac("sha256", key).update(start).update(`${purpose} ${browser}`).digest();
  return {
    make: (purpose: Purpose, browser: string): Uint8Array<ArrayBuffer> => {
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(clock.now(), 0, timeBytes);
      const start = Buffer.concat([randomBytes(nonceBytes), time]);
      return new Uint8Array(Buffer.concat([start, sign(start, purpose, browser)]));
    },
    isFresh: (challenge: string, purpose: Purpose, browser: string): boolean => {
      const bytes = Buffer.from(challenge, "base64url");
      const start = bytes.subarray(0, nonceBytes + timeBytes);
      const expected = sign(start, purpose, browser);
      const seal = bytes.subarray(nonceBytes + timeBytes);
      if (seal.length !== expected.length || !timingSafeEqual(seal, expected)) {
        return false;
      }
      const ageMs = clock.now() - start.readUIntBE(nonceBytes, timeBytes);
      return ageMs < challengeLifeMs;
    },
    spend: (response: AuthenticationResponseJSON | RegistrationResponseJSON): Promise<boolean> =>
      passkeys.spendChallenge(challengeOf(response), new Date(clock.now() + challengeLifeMs)),
  };
}

function challengeOf({ response }: AuthenticationResponseJSON | RegistrationResponseJSON): string {
  const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  return typeof client === "object" && client !== null && "challenge" in client ? String(client.challenge) : "";
}

/** The authenticator names the user that it stored the passkey for. */
function isHandleOf({ response }: AuthenticationResponseJSON, userId: string): boolean {
  return response.userHandle === undefined || Buffer.from(response.userHandle, "base64url").toString() === userId;
}

/** The library throws for every fault of a credential. */
async function orNull<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
