/** Colours, type and frame of every page. Text has a contrast of at least 4.5, in light and dark. */
export const BASE_STYLE = `
:root{color-scheme:light dark;
--paper:#f7f5ef;--card:#fffefb;--ink:#1d211b;--soft:#555b50;--line:#dedacd;--ground:#ebe8de;
--accent:#17633f;--good:#17633f;--good-ground:#e0efe3;--warn:#7a4a00;--warn-ground:#fbeccd;--bad:#a3231a;--bad-ground:#fbe4df;
--c1:#1f7a50;--c2:#2a57a5;--c2-pale:#678fd3;--c3:#b26a12;--c4:#8446ad;--c5:#787d70;--c6:#b8332a}
@media (prefers-color-scheme:dark){:root{
--paper:#121510;--card:#1a1e18;--ink:#e8ebe2;--soft:#a8b0a0;--line:#333a30;--ground:#2a3027;
--accent:#82d3a5;--good:#82d3a5;--good-ground:#1b3426;--warn:#f2c572;--warn-ground:#3a2d10;--bad:#ff9d91;--bad-ground:#421f1b;
--c1:#5fbd8a;--c2:#84aaf2;--c2-pale:#5572b0;--c3:#dca254;--c4:#c196e8;--c5:#8f9686;--c6:#f0796d}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
.wrap{max-width:76rem;margin-inline:auto;padding-inline:clamp(1rem,3vw,2rem)}
h1,h2,h3,p,ul,ol,dl,dd,figure{margin:0}
ul,ol{padding:0;list-style:none}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.015em;font-weight:650}
h2{font-size:1.1rem;line-height:1.3;letter-spacing:-.005em;font-weight:650}
h3{font-size:1rem;font-weight:650}
small{font-size:.8125rem;color:var(--soft);font-weight:400}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
bdi{unicode-bidi:isolate}
.id,.wide,dd,.why,.answer,h1,h2,pre{overflow-wrap:anywhere}
time,.short{white-space:nowrap}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0}
.skip{position:absolute;left:1rem;top:-6rem;z-index:1;padding:.6rem 1rem;background:var(--ink);color:var(--paper);border-radius:0 0 .5rem .5rem}
.skip:focus{top:0}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.top .wrap{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1.5rem;min-height:3.25rem}
.brand{display:inline-flex;align-items:center;gap:.55rem;padding-block:.35rem;color:var(--ink);font-weight:700;letter-spacing:-.01em;text-decoration:none}
.mark{width:1.5rem;height:1.5rem;fill:none;stroke:var(--accent)}
.mark .bark{stroke-width:2}.mark .ring{stroke-width:1;opacity:.55}.mark .core{fill:var(--accent);stroke:none}
.top ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}
.top nav a{display:block;padding:.75rem 0 calc(.75rem - 3px);border-bottom:3px solid transparent;color:var(--soft);text-decoration:none}
.top nav a:hover{color:var(--ink)}
.top nav a[aria-current]{color:var(--ink);border-color:var(--accent);font-weight:600}
main{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr);padding-block:1.25rem 2rem}
main>section:not(.card):not(.verdict){display:grid;gap:.75rem;grid-template-columns:minmax(0,1fr)}
footer{padding-block:1rem 2rem;color:var(--soft);font-size:.875rem;border-top:1px solid var(--line)}
.lead{color:var(--soft);max-width:60ch}
.crumb{font-size:.875rem;color:var(--soft);margin-bottom:-1rem}
.heading{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem 1rem;color:var(--soft)}
.heading h1{color:var(--ink)}
.formats{display:flex;gap:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.1rem 1.25rem}
.card>h2{margin-bottom:.35rem}
.halves{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));align-items:start}
.columns{columns:2 27rem;column-gap:1.25rem}
.columns>.card{break-inside:avoid;margin-bottom:1.25rem}
.unit,.note,.empty{color:var(--soft);font-size:.875rem}
.note,.empty{padding-block:.75rem}
@media (max-width:44rem){
h1{font-size:1.35rem}
.brand small{display:none}
.top ul{gap:0 1rem}
.top .wrap{gap:0 .75rem}
.card{padding:.9rem 1rem}
main{gap:1rem;padding-top:1rem}
.crumb{display:none}}
`;

/** The mark of all pages, as markup: a cross-section of a stem with bark, wood, and the pith in the middle. */
export const MARK =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle class="bark" cx="12" cy="12" r="10"/><circle class="ring" cx="12" cy="12" r="6.4"/><circle class="core" cx="12" cy="12" r="3"/></svg>';

/** The address of their icon. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Ccircle cx='12' cy='12' r='10' fill='none' stroke='%23287a55' stroke-width='2.5'/%3E%3Ccircle cx='12' cy='12' r='4' fill='%23287a55'/%3E%3C/svg%3E";
