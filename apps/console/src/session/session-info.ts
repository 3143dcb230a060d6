import type { Schemas } from "@gateway/contract";

/**
 * What the page and the server behind it say to each other. The page imports these types and nothing else of `src`.
 * Every call needs `X-Console: 1`; the server answers on the page's own origin:
 * - `GET /session`: a `SessionInfo`; 401 when nobody is signed in, 503 while the identity provider is away.
 * - `GET /sign-in?return_to=/webhooks`: a navigation, which comes back to `return_to`. `&max_age=300` asks for a fresh
 *   sign-in (RFC 9470), `&account=choose` for the account, `&login_hint=` fills in an address.
 * - `GET /callback`: the way back from the identity provider.
 * - `POST /sign-out`: ends the session everywhere; 200 with `SignedOut`. The page tells its other tabs.
 * - `POST /clear-site-data`: has the browser forget what it keeps of this site but cookies; 204.
 * - `/api/v1/*`: the operations. With `X-Console: try` a call counts as a program's and is shown in the request log.
 * Every other `GET` of a path without a dot is `index.html`, with a nonce for styles in `<meta property="csp-nonce">`.
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
  permission: Schemas["Permission"];
  /** All that the person belongs to, this one too. Another one is chosen by `GET /sign-in?account=choose`. */
  accounts: readonly AccountChoice[];
  environment: "sandbox" | "production";
  /** When they last proved to be there, ISO 8601; for `x-fresh-sign-in`. */
  signedInAt: string;
  addresses: {
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
