import type { AuthProvider } from "@gateway/gateway/config";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BenchGrant } from "./installation.ts";

export type TokenIssuer = {
  authProvider: AuthProvider;
  /** An access token as the identity provider writes them, for an hour from now. */
  mint(grant: BenchGrant): string;
  stop(): Promise<void>;
};

/** Stands in for the identity provider, which a gateway asks for nothing but its keys. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = randomUUID();
  const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }] });
  const server = createServer((_req, res) => void res.end(jwks));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this kind.
  const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authProvider = { authUrl, apiUrl: "https://api.bench.example", jwksUrl: `${authUrl}/api/v1/jwks` };
  return {
    authProvider,
    mint: (grant) => {
      const parts = [{ alg: "RS256", typ: "at+jwt", kid }, claimsOf(grant, authProvider)];
      const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function claimsOf(grant: BenchGrant, { authUrl, apiUrl }: AuthProvider): object {
  const iat = Math.floor(Date.now() / 1000);
  return {
    account: grant.accountId,
    grant: grant.grantId,
    jti: randomUUID(),
    sub: grant.userId,
    iat,
    exp: iat + 3600,
    scope: "openid email profile read write",
    client_id: grant.applicationId,
    iss: authUrl,
    aud: apiUrl,
  };
}
