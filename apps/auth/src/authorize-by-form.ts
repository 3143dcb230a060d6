import type { RequestHandler } from "express";
import { refuseForm } from "./answer-failure.ts";
import { readFormText, UnreadableForm } from "./browser/read-form.ts";
import { paths } from "./provider/routes.ts";

/** A URL has to fit into the headers of a request, which end at 16 KiB. */
const maxBytes = 8 * 1024;

/**
 * Sends an authorize request that came as a form (OpenID Connect Core 1.0, 3.1.2.1) on as the same request by GET. A
 * POST from another site carries none of our cookies (SameSite=Lax), so a user who is signed in would look signed out.
 */
export const authorizeByForm: RequestHandler = async (req, res) => {
  try {
    const fields = new URLSearchParams(await readFormText(req, { maxBytes }));
    const query = fields.toString();
    if (query.length > maxBytes) {
      throw new UnreadableForm(413, "The form is too long. Shorten what you entered.");
    }
    res.redirect(303, `${paths.authorize}?${query}`);
  } catch (error) {
    if (!(error instanceof UnreadableForm)) {
      throw error;
    }
    refuseForm(req, res, error);
  }
};
