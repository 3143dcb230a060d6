import { createHash } from "node:crypto";
import { answer, startFakeGateway, type FakeGateway, type Reply } from "./fake-gateway.ts";

export type FakeAuth = FakeGateway & {
  /** Expects the next exchange of a code to match this challenge. */
  expectCode(code: string, codeChallenge: string): void;
  /** The access token that the gateway currently accepts. */
  current(): string;
  /** Makes all tokens so far invalid, as time does. */
  expire(): void;
  refreshes(): number;
};

/** An identity provider as a client sees it: codes work once with their verifier, and refresh tokens rotate. */
export async function startFakeAuth({ expiresIn = 3600 }: { expiresIn?: number } = {}): Promise<FakeAuth> {
  let generation = 0;
  let isExpired = false;
  let refreshes = 0;
  const codes = new Map<string, string>();
  const issue = (): object => {
    generation += 1;
    isExpired = false;
    return {
      access_token: `access-${generation}`,
      refresh_token: `refresh-${generation}`,
      id_token: "id",
      expires_in: expiresIn,
      token_type: "Bearer",
      scope: "openid read",
    };
  };
  const grants: Record<string, (form: URLSearchParams) => boolean> = {
    authorization_code: (form) => {
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isRight =
        codes.get(form.get("code") ?? "") === challenge && form.get("redirect_uri") === "https://app.example/back";
      codes.delete(form.get("code") ?? "");
      return isRight;
    },
    refresh_token: (form) => {
      refreshes += 1;
      return form.get("refresh_token") === `refresh-${generation}`;
    },
  };
  const reply: Reply = (res, { method, path, body, headers }) => {
    if (path === "/.well-known/openid-configuration") {
      return answer(res, 200, { revocation_endpoint: `http://${headers.host}/api/v1/revoke` });
    }
    const form = new URLSearchParams(body);
    const isKnown = method === "POST" && form.get("client_id") === "app_1";
    if (isKnown && path === "/api/v1/revoke") {
      generation += 1;
      return answer(res, 200, "");
    }
    const isGranted = isKnown && path === "/api/v1/token" && grants[form.get("grant_type") ?? ""]?.(form);
    return isGranted
      ? answer(res, 200, issue())
      : answer(res, 400, { error: "invalid_grant", error_description: "grant request is invalid" });
  };
  return {
    ...(await startFakeGateway(reply)),
    expectCode: (code, codeChallenge) => void codes.set(code, codeChallenge),
    current: () => (isExpired ? "" : `access-${generation}`),
    expire: () => {
      isExpired = true;
    },
    refreshes: () => refreshes,
  };
}
