interface Page {
  readonly text: string;
  readonly link: string;
}

/** A group of pages in the sidebar. */
interface Group {
  readonly text: string;
  readonly items: Page[];
}

/** The pages of the site, in the order of the sidebar. A test checks that every page is here. */
export const pages: Group[] = [
  {
    text: "Start",
    items: [
      { text: "Getting started", link: "/getting-started" },
      { text: "Comparison", link: "/comparison" },
      { text: "Benchmarks", link: "/benchmarks" },
      { text: "Versions", link: "/versions" },
      { text: "Recipes", link: "/recipes/" },
    ],
  },
  {
    text: "Tasks",
    items: [
      { text: "Test a controller", link: "/tasks/controller" },
      { text: "Test a command-line tool", link: "/tasks/cli" },
      { text: "Test a dashboard", link: "/tasks/dashboard" },
      { text: "Test a client library", link: "/tasks/client-library" },
      { text: "Test a Go program", link: "/tasks/go" },
      { text: "Test a Python program", link: "/tasks/python" },
    ],
  },
  {
    text: "Guides",
    items: [
      { text: "The cluster", link: "/cluster" },
      { text: "A cluster that lives", link: "/simulation" },
      { text: "Failures", link: "/failures" },
      { text: "Failure examples", link: "/failure-examples" },
      { text: "Time", link: "/time" },
      { text: "Watch events", link: "/watches" },
      { text: "Requests", link: "/requests" },
      { text: "OpenID Connect", link: "/open-id-connect" },
      { text: "Admission", link: "/admission" },
      { text: "Permissions", link: "/permissions" },
      { text: "Admission policies", link: "/policies" },
      { text: "Test runners", link: "/runners" },
      { text: "Expressions", link: "/cel" },
      { text: "The command line", link: "/command-line" },
      { text: "The control API", link: "/control-api" },
    ],
  },
  {
    text: "Migration",
    items: [
      { text: "From envtest", link: "/migration/envtest" },
      { text: "From the fabric8 mock server", link: "/migration/fabric8" },
      { text: "From MSW handlers", link: "/migration/msw-handlers" },
      { text: "From client-go fakes", link: "/migration/client-go-fakes" },
    ],
  },
  {
    text: "Background",
    items: [
      { text: "Fidelity", link: "/fidelity" },
      { text: "Scoreboard", link: "/scoreboard" },
      { text: "Architecture", link: "/architecture" },
      { text: "Troubleshooting", link: "/troubleshooting" },
      { text: "Questions", link: "/faq" },
    ],
  },
];
