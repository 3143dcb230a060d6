/**
 * Imported before a suite, it makes the suite's gateways listen at their direct addresses too, and sends what is called there: each
 * request to the service that has its path. So the suite shows, unchanged, that callers notice no difference. For suites of the slow
 * mode alone, where no other suite sees the variable.
 */
process.env["GATEWAY_TEST_DIRECT"] = "true";
