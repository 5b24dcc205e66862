/** The test files that judge mutants: those that run the sources in their own process, without other programs. */
export const testFiles = {
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  exclude: [
    "test/*.test.ts",
    "test/{cli,interoperability,tools,oracles,transports}/**",
    "src/{cli,runners,transports,catalog}/**",
    "test/conformance/*-{msw,nock}-*.test.ts",
  ],
};
