import type { Schemas } from "@gateway/contract";

/**
 * The protocol between the page and its server. The page imports these types and nothing else of `src`. Every call
 * needs `X-Console: 1`, and the server responds on the page's own origin:
 *
 * - `GET /session`: a `SessionInfo`; 401 when no user is signed in, 503 while the identity provider is away.
 * - `GET /sign-in?return_to=/webhooks`: a navigation, which comes back to `return_to`. `&max_age=300` requires a fresh
 *   sign-in (RFC 9470), `&account=choose` asks for the account, `&login_hint=` fills in an address.
 * - `GET /callback`: the return from the identity provider.
 * - `POST /sign-out`: ends the session everywhere; 200 with `SignedOut`. The page notifies its other tabs.
 * - `POST /clear-site-data`: makes the browser forget its data of this site, except cookies; 204.
 * - `/api/v1/*`: the operations. With `X-Console: try` a call counts as a program's and appears in the request log.
 *
 * Every other `GET` of a path without a dot is `index.html`, with a nonce for styles in `<meta property="csp-nonce">`.
 */
export type SessionInfo = {
  person: {
    /** The person's place in the account, by which the API names them. */
    id: string;
    userId: string;
    name: string;
    email: string;
  };
  account: AccountChoice;
  /** The current role. The next `GET /session` shows a change, and the gateway applies it at once. */
  role: Schemas["Role"];
  permission: Schemas["Permission"];
  /** All accounts of the person, including this one. `GET /sign-in?account=choose` leads to another. */
  accounts: readonly AccountChoice[];
  environment: "sandbox" | "production";
  /** The last time that the person proved to be present, ISO 8601; for `x-fresh-sign-in`. */
  signedInAt: string;
  addresses: {
    api: string;
    /** Without a slash at the end. Null when this deployment does not name one. */
    docs: string | null;
    /** The identity provider: devices, passkeys and the person's own settings are at `/account` there. */
    identity: string;
    /** The console of the other environment. The badge leads to the same path there. Null when none is named. */
    otherEnvironment: string | null;
    /** The address of the receiver of webhooks that came with this system, for trying out. Null when there is none. */
    receiver: string | null;
  };
};

export type AccountChoice = {
  id: string;
  name: string;
  role: Schemas["Role"];
  /** Suspended by an operator: people cannot enter it meanwhile. */
  isSuspended: boolean;
};

export type SignedOut = { signedOut: true };
