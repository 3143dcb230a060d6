import { openapi } from "@gateway/contract";
import express, { type ErrorRequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";
import { walletPage } from "./wallet-page.ts";

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]["apiSpec"];

// express-openapi-validator as its README installs it, on our document. Its security handler lets every key in.
const app = express();
app.use(express.json());
app.use(express.text());
app.use(express.urlencoded({ extended: false }));
app.use(
  OpenApiValidator.middleware({
    // The linter has held our document against the OpenAPI schema; the library's type is that schema.
    apiSpec: openapi() as ApiSpec,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: { handlers: { apiKey: () => true, accessToken: () => false } },
  }),
);
app.get("/api/v1/wallets", (_req, res) => {
  res.json(walletPage);
});
const answerError: ErrorRequestHandler = (
  error: { status?: number; message: string; errors?: unknown },
  _req,
  res,
  _next,
) => {
  res.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
};
app.use(answerError);

await serve(() => listenOnLoopback(app));
