/** Of one screen: what money is counted in, and what was booked. */
export const views = { accounts: "Accounts", transactions: "Transactions" };
