import express, { Router, type Response } from "express";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../assets", import.meta.url));
/** As its package publishes it for a script element; it makes `SimpleWebAuthnBrowser`. */
const webauthn = fileURLToPath(
  new URL("../dist/bundle/index.umd.min.js", import.meta.resolve("@simplewebauthn/browser")),
);

/** Style, scripts and icon. Browsers keep them and ask each time whether they are still the ones. */
export function createAssets(): Router {
  const options = {
    index: false as const,
    redirect: false,
    setHeaders: (res: Response) => {
      res.setHeader("Cache-Control", "no-cache");
    },
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use("/assets/webauthn.js", express.static(webauthn, options));
  router.use("/assets", express.static(folder, options));
  return router;
}
