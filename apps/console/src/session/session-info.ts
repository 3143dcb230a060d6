import type { Schemas } from "@gateway/contract";

/**
 * What the page and the server behind it say to each other. The page imports these types and nothing else of `src`.
 *
 * The server answers, each on the page's own origin:
 * - `GET /session`: 200 with a `SessionInfo`, or 401 with an error envelope when nobody is signed in; 503 while the
 * identity provider is
 *
 * away. Needs `X-Console: 1`, as every call from the page does.
 * - `GET /sign-in?return_to=/webhooks`: a navigation. Goes to the identity provider and comes back to `return_to`, a
 * path of the console with
 *
 * its query. `&max_age=300` asks for a fresh sign-in (an operation answered with a challenge of RFC 9470),
 * `&account=choose` for which
 *
 * account, `&login_hint=` fills in an address.
 * - `GET /callback`: where the identity provider leads back to; for nobody else.
 * - `POST /clear-site-data`, with `X-Console: 1` and no body: has the browser forget what it keeps of this site but
 * cookies; 204.
 * - `POST /sign-out`, with `X-Console: 1` and no body: ends the session here, at the identity provider and at the
 * gateway; 200 with `SignedOut`.
 *
 * The page tells its other tabs (BroadcastChannel) and goes to `/`.
 * - `/api/v1/*`: the operations of the document, with `X-Console: 1` (the client's `session: "cookie"`). What
 * somebody tries out goes with
 *
 * `X-Console: try` (a `fetch` of the page's own that sets it on `init.headers`), counts against the account's limit
 * as a program's call would, and is not hidden in the request log.
 *
 * Every other `GET` of a path without a dot is `index.html`. In it `__CSP_NONCE__` is replaced by the nonce of this
 * answer: Vite's `html.cspNonce` writes it where it belongs, and a library that needs it reads it from `<meta
 * property="csp-nonce" nonce="…">`.
 */
export type SessionInfo = {
  person: {
    /** Their place in the account: what the API calls them. */
    id: string;
    userId: string;
    name: string;
    email: string;
  };
  account: AccountChoice;
  /** The role now: a change is seen by the next `GET /session`, and by the gateway at once. */
  role: Schemas["Role"];
  /** What operations ask for: the role's. */
  permission: Schemas["Permission"];
  /** All that the person belongs to, this one too. Another one is chosen by `GET /sign-in?account=choose`. */
  accounts: readonly AccountChoice[];
  environment: "sandbox" | "production";
  /** When they last proved to be there, ISO 8601; for `x-fresh-sign-in`. */
  signedInAt: string;
  addresses: {
    /** Of the API, as programs reach it: for curl and TypeScript. */
    api: string;
    /** Null: this deployment names none. Without a slash at the end. */
    docs: string | null;
    /** The identity provider: devices, passkeys and the person's own settings are at `/account` there. */
    identity: string;
    /** The console of the other environment; the badge leads to the same path there. Null: none is named. */
    otherEnvironment: string | null;
    /** Where a receiver of webhooks listens that came with this system, for trying out; null: there is none. */
    receiver: string | null;
  };
};

export type AccountChoice = {
  id: string;
  name: string;
  role: Schemas["Role"];
  /** By an operator: nobody gets in meanwhile. */
  isSuspended: boolean;
};

export type SignedOut = { signedOut: true };
