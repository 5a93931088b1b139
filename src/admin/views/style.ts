import { createHash } from 'node:crypto';
import { Html } from './html.js';

/** Colours, type and frame of every page. Text has a contrast of at least 4.5, in light and dark. */
const BASE_STYLE = `
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

const PARTS_STYLE = `
.verdict{padding:1.1rem 1.25rem;border:1px solid;border-left-width:6px;border-radius:.75rem}
.verdict.good{background:var(--good-ground);border-color:var(--good)}
.verdict.warn{background:var(--warn-ground);border-color:var(--warn)}
.verdict.bad{background:var(--bad-ground);border-color:var(--bad)}
.verdict h1,.verdict h2{font-size:1.35rem;line-height:1.25;letter-spacing:-.01em}
.verdict small,.verdict .hint{color:inherit;opacity:1}
.verdict .why{margin-top:.5rem;display:grid;gap:.2rem;max-width:75ch}
.verdict.state{padding:.8rem 1.25rem}
.verdict.state h2{font-size:1.1rem}
.verdict.state>p{font-size:.9rem}
.sign{display:inline-grid;place-items:center;width:1.3em;height:1.3em;margin-right:.45em;border-radius:50%;font-size:.8em;font-weight:700;line-height:1;vertical-align:.08em;color:var(--card)}
.good .sign{background:var(--good)}.warn .sign{background:var(--warn)}.bad .sign{background:var(--bad)}
.said.bad{color:var(--bad)}.said.warn{color:var(--warn)}
.said .sign{font-size:.7em}
.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c2-pale{fill:var(--c2-pale)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}
.c1-ground{background:var(--c1)}.c2-ground{background:var(--c2)}.c2-pale-ground{background:var(--c2-pale)}.c3-ground{background:var(--c3)}.c4-ground{background:var(--c4)}.c5-ground{background:var(--c5)}.c6-ground{background:var(--c6)}
.bar{display:block;width:100%;height:.625rem;border-radius:.2rem;overflow:hidden}
.bar-ground{fill:var(--ground)}
.measure{display:grid;grid-template-columns:minmax(0,10rem) minmax(0,1fr) minmax(0,7rem);gap:.75rem;align-items:center;padding-block:.22rem}
.measure .figure{text-align:right}
.timeline .figure{white-space:nowrap}
.axis{color:var(--soft);font-size:.8125rem;padding-top:.1rem}
.axis .figure{text-align:left}
.labels{display:block;width:100%;height:1.25rem;overflow:visible;fill:currentColor}
.axis .labels{border-top:1px solid var(--line)}
.lost{padding:.1rem 0 .1rem .7rem;margin-left:.35rem;border-left:2px solid var(--line);color:var(--soft);font-size:.9rem}
.lost .minus{color:var(--ink);font-weight:600}
.meters{display:grid;gap:.6rem;margin-block:.5rem .75rem}
.meters li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.2rem .75rem}
.meters .bar{grid-column:1/-1;grid-row:2}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;font-size:.875rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.swatch{width:.75rem;height:.75rem;border-radius:.2rem}
.chart figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.15rem 1rem}
.chart .unit{flex-basis:100%;min-height:3em}
.frame{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem .5rem;margin-block:.5rem;color:var(--soft);font-size:.8125rem}
.y-unit{grid-column:1/-1;margin-bottom:.35rem}
.y-ticks{display:flex;flex-direction:column;justify-content:space-between;text-align:right;height:calc(10rem + 1lh);margin-block:-.5lh}
.plot{display:block;width:100%;height:10rem}
.grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.x-ticks{grid-column:2}
.x-unit{grid-column:2;text-align:center}
details>summary{cursor:pointer;color:var(--accent);padding-block:.25rem;width:fit-content}
details.card>summary{padding-block:0}
table{width:100%;border-collapse:collapse;font-size:.9rem}
caption{text-align:left;font-weight:600;padding-block:.6rem .3rem}
caption.unseen{padding:0}
th,td{padding:.45rem .6rem;text-align:left;vertical-align:top;font-weight:400}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-size:.8125rem;white-space:nowrap;border-bottom:1px solid var(--line)}
tbody tr+tr>*{border-top:1px solid var(--line)}
.wide{min-width:15rem}
.number{text-align:right}
.number .cell{white-space:nowrap}
td .bar,th .bar{min-width:6rem}
.score{display:grid;grid-template-columns:4rem minmax(6rem,1fr);align-items:center;gap:.5rem}
.under{display:block;color:var(--soft);font-size:.8125rem}
.tag{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom;padding:0 .4rem;border:1px solid var(--line);border-radius:.4rem;font-size:.8125rem;color:var(--soft);font-weight:400}
.facts{display:grid;gap:.3rem}
.facts>div{display:grid;grid-template-columns:minmax(0,9rem) minmax(0,1fr);gap:.75rem}
.facts dt{color:var(--soft)}
pre{margin:.25rem 0 0;padding:.75rem;max-height:24rem;overflow:auto;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;white-space:pre-wrap}
label{display:block;font-size:.875rem;color:var(--soft)}
input,select,textarea,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:.45rem;padding:.4rem .6rem;min-height:2.5rem;width:100%;min-width:0}
button{width:auto;white-space:nowrap;background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600;padding-inline:1.1rem;cursor:pointer}
button:hover{filter:brightness(1.08)}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:.6rem .9rem}
.field.time{grid-column:span 2}
.filters{display:grid;gap:.6rem;padding-bottom:.75rem;border-bottom:1px solid var(--line)}
.filters details .fields{padding-top:.35rem}
.actions{display:flex;align-items:center;gap:1rem}
.together{display:flex;gap:.5rem;max-width:48rem}
.together button{flex:none}
.answer{margin-top:.75rem;padding:.6rem .8rem;background:var(--ground);border-radius:.5rem;max-width:75ch}
.command{display:block;margin-top:.35rem;user-select:all}
.pager{display:flex;justify-content:space-between;gap:1rem}
.pager a{padding-block:.6rem}
.pager a[rel]{margin-left:auto}
@media (min-width:64rem){
.settings table{table-layout:fixed}
.settings thead th:nth-child(1){width:20.5rem}
.settings thead th:nth-child(n+2){width:9.5rem}
.settings thead th:last-child{width:auto}}
@media (max-width:44rem){
.measure{grid-template-columns:minmax(0,1fr) auto;gap:.1rem .75rem}
.measure .bar,.axis .labels{grid-column:1/-1;grid-row:2}
.chart .labels text:nth-child(even){display:none}
.axis .name{display:none}.axis .figure{grid-row:3;grid-column:1/-1;text-align:center}
.verdict{padding:.9rem 1rem}
.facts>div{grid-template-columns:minmax(0,7.5rem) minmax(0,1fr)}
table.cards,.cards tbody,.cards th,.cards td{display:block}
.cards caption{display:block}
.cards thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.cards tbody tr{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.15rem .9rem;padding-block:.8rem}
.cards tbody tr+tr{border-top:1px solid var(--line)}
.cards tbody tr>*{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.6rem;grid-column:1/-1;min-width:0;border:0;padding:0;text-align:left}
.cards tbody tr>*::before{content:attr(data-name);color:var(--soft);font-size:.8125rem;padding-top:.08rem}
.cards tbody tr>th{order:-1;display:block;padding-bottom:.15rem;font-weight:600}
.cards tbody tr>th::before{content:none}
.cards th .under{font-weight:400}
.cards tbody tr>.number{grid-column:auto;grid-template-columns:auto minmax(0,1fr)}
.cards tbody tr>.none{display:none}
.cards .score{grid-template-columns:3.5rem minmax(0,1fr)}
.cards td .bar{min-width:0}
.cards .number .cell{white-space:normal}}
`;

const TEXT = `${BASE_STYLE}${PARTS_STYLE}`;

/** The style element of all pages. It is one constant, because `STYLE_HASH` covers its exact text. */
export const STYLE = Html.trusted(`<style>${TEXT}</style>`);

/** The hash of the style sheet for `style-src`, which allows no other one. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(TEXT).digest('base64')}`;
