package dev.sluice.doctor.report;

/** How the HTML page looks: on light and dark screens, on narrow ones, and on paper. */
final class StyleSheet {

    static final String TEXT = """
            :root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b2230; --soft: #5c6678;
              --line: #dde1e8; --accent: #2457c5; --taken: #3b6fd8; --reserved: #a9c1f2; --free: #e4f3e8;
              --free-edge: #67b37e; --bad: #b3261e; --bad-back: #fdecea; --doubt: #8a5a00; --doubt-back: #fff5df;
              --good: #1c7c3c; --good-back: #e7f6ec; }
            @media (prefers-color-scheme: dark) {
              :root { --page: #11151c; --card: #1a202a; --ink: #e6eaf1; --soft: #9aa5b8; --line: #2f3846;
                --accent: #8fb2ff; --taken: #5b8cf0; --reserved: #34508c; --free: #1c3325; --free-edge: #4f9a67;
                --bad: #ff8f85; --bad-back: #3a1c1a; --doubt: #f2c063; --doubt-back: #362a12; --good: #79d398;
                --good-back: #17301f; } }
            * { box-sizing: border-box; }
            body { margin: 0; background: var(--page); color: var(--ink);
              font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
            main { max-width: 1120px; margin: 0 auto; padding: 28px 20px 60px; }
            h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -.01em; }
            h2 { font-size: 19px; margin: 36px 0 12px; padding-bottom: 6px; border-bottom: 1px solid var(--line); }
            .sub { color: var(--soft); margin: 0 0 18px; }
            p { margin: 0 0 12px; max-width: 90ch; overflow-wrap: anywhere; }
            nav { font-size: 14px; margin: 22px 0 0; }
            nav a { display: inline-block; margin: 0 14px 4px 0; color: var(--accent); text-decoration: none; }
            nav a:hover { text-decoration: underline; }
            code { font: 13px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
              overflow-wrap: anywhere; }
            .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; }
            .tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
            .tile b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
            .tile span { color: var(--soft); font-size: 13px; }
            .tile.bad b { color: var(--bad); } .tile.doubtful b { color: var(--doubt); }
            .tile.good b { color: var(--good); }
            .notice { background: var(--card); border: 1px solid var(--line); border-left: 5px solid var(--soft);
              border-radius: 8px; padding: 12px 16px; margin: 0 0 12px; }
            .notice.bad { border-left-color: var(--bad); } .notice.doubtful { border-left-color: var(--doubt); }
            .notice.good { border-left-color: var(--good); }
            .notice h3 { font-size: 15px; margin: 0 0 4px; overflow-wrap: anywhere; }
            .notice.bad h3 { color: var(--bad); } .notice.doubtful h3 { color: var(--doubt); }
            .notice p { margin: 0 0 6px; } .notice p:last-child { margin: 0; }
            .notice .lead { color: var(--soft); }
            .notice code { background: var(--page); border: 1px solid var(--line);
              border-radius: 4px; padding: 1px 6px; }
            .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
              margin: 0 0 12px; }
            table { border-collapse: collapse; width: 100%; font-size: 14px; }
            th, td { text-align: left; vertical-align: top; padding: 8px 14px; border-bottom: 1px solid var(--line); }
            th { color: var(--soft); font-weight: 600; font-size: 12.5px; white-space: nowrap; }
            tr:last-child td { border-bottom: 0; }
            td { overflow-wrap: break-word; min-width: 8ch; max-width: 46ch; }
            td code { overflow-wrap: break-word; }
            td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
              min-width: 0; }
            td.bad { color: var(--bad); font-weight: 600; } td.doubtful { color: var(--doubt); }
            td.good { color: var(--good); }
            .note { color: var(--soft); font-size: 14px; }
            .legend { display: flex; flex-wrap: wrap; gap: 6px 20px; color: var(--soft); font-size: 13px;
              margin: 0 0 12px; }
            .legend span { display: inline-flex; align-items: center; gap: 6px; }
            .legend svg { width: 16px; height: 16px; }
            .nodes { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 12px; }
            .node { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; }
            .node.bad { border-color: var(--bad); } .node.doubtful { border-color: var(--doubt); }
            .node h3 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
            .node .model { color: var(--soft); font-size: 13px; margin: 0 0 6px; overflow-wrap: anywhere; }
            .marks { margin: 0 0 6px; }
            .mark { display: inline-block; font-size: 12px; border-radius: 9px; padding: 0 8px; margin: 0 4px 4px 0;
              background: var(--doubt-back); color: var(--doubt); }
            .bad .mark { background: var(--bad-back); color: var(--bad); }
            .device { margin: 8px 0 0; font-size: 13px; }
            .device code { display: block; } .device span { color: var(--soft); }
            svg.bar { display: block; width: 100%; max-width: 272px; height: 18px; margin: 2px 0; }
            td svg.bar { width: 160px; min-width: 120px; height: 14px; margin: 3px 0; }
            .taken { fill: var(--taken); } .reserved { fill: var(--reserved); }
            .free { fill: var(--free); stroke: var(--free-edge); }
            .broken { fill: var(--bad-back); stroke: var(--bad); }
            .cross { stroke: var(--bad); stroke-width: 1.4; fill: none; }
            footer { color: var(--soft); font-size: 13px; margin-top: 40px; }
            @media print {
              :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb;
                --accent: #000; --taken: #3b6fd8; --reserved: #a9c1f2; --free: #fff; --free-edge: #4a8f5f;
                --bad: #a01a12; --bad-back: #fff; --doubt: #6d4700; --doubt-back: #fff; --good: #145f2d; }
              body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
              main { max-width: none; padding: 0; } nav { display: none; }
              .tiles { grid-template-columns: repeat(auto-fit, minmax(100px, 1fr)); gap: 8px; }
              .tile { padding: 8px 10px; } .tile b { font-size: 18px; }
              table { font-size: 9pt; } th, td { padding: 4px 7px; } th { white-space: normal; }
              td code { font-size: 8.5pt; } td svg.bar { width: 90px; min-width: 90px; }
              .nodes { grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 8px; }
              .wide { overflow: visible; border-radius: 0; } h2 { break-after: avoid; }
              .tile, .notice, .node, tr { break-inside: avoid; } }
            """;

    private StyleSheet() {}
}
