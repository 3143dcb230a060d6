export const views = { transfers: "Transfers", rules: "Rules and addresses" };
