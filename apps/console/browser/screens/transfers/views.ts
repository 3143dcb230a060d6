/** Of one screen: what goes out, and what rules it. */
export const views = { transfers: "Transfers", rules: "Rules and addresses" };
