export const views = { accounts: "Accounts", transactions: "Transactions" };
