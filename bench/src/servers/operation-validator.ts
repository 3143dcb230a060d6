import { openapi } from "@gateway/contract";
import express from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";
import { walletPage } from "./wallet-page.ts";

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]["apiSpec"];

// express-openapi-validator at its quickest: a document of one operation, mounted on its route, and requests are all it
// looks at. What the gateway would cost with it is this and the rest of the pipeline (docs/adr/0022).
const path = "/api/v1/wallets";
const document = openapi();
const { get } = document.paths[path] ?? {};
const middleware = OpenApiValidator.middleware({
  // The linter has held our document against the OpenAPI schema; the library's type is that schema.
  apiSpec: { ...document, paths: { [path]: { get } } } as ApiSpec,
  validateApiSpec: false,
  validateSecurity: false,
  fileUploader: false,
});
const app = express();
app.get(path, middleware);
app.get(path, (_req, res) => {
  res.json(walletPage);
});

await serve(() => listenOnLoopback(app));
