import { createServer } from "node:http";
import { createIdentityService } from "./identity-service.ts";

// The gateway finds it by IDENTITY_UPSTREAM=http://127.0.0.1:8181 and the same secret.
const secret = process.env["IDENTITY_UPSTREAM_SECRET"];
if (!secret) {
  console.error("IDENTITY_UPSTREAM_SECRET is needed: the one of the gateway.");
  process.exit(1);
}
const port = Number(process.env["PORT"] ?? 8181);
createServer(createIdentityService({ secret })).listen(port, "127.0.0.1", () => {
  console.log(`The identity service listens at http://127.0.0.1:${port}.`);
});
