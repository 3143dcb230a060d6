/** Ids that name the caller; no secret of theirs is among them. `service`: one of the gateway's own services asks. */
export type VerifiedCredential =
  | { kind: "apiKey"; apiKeyId: string }
  | { kind: "accessToken"; grantId: string; personId: string; applicationId: string }
  | { kind: "service"; service: string };

/** Who asks, as the gateway has found out. It has checked that `permission` is enough for the operation. */
export type VerifiedPrincipal = {
  accountId: string;
  permission: "read" | "write" | "admin" | null;
  credential: VerifiedCredential;
  /** Whether it is production's. */
  livemode: boolean;
  /** Also the header `X-Request-Id`. */
  requestId: string;
};
