import type { Interaction } from "../provider/interactions.ts";
import { Refusal } from "./page.ts";

export function gone(interaction: Pick<Interaction, "application"> | null): Refusal {
  return new Refusal(400, {
    title: "This sign-in is over",
    message:
      "It was finished already, has expired, or was begun in another browser. Go back to the application and sign in from there again.",
    application: interaction?.application,
  });
}
