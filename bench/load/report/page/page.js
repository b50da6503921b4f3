// Values under the pointer, or under a cursor that the arrow keys move. The charts themselves need no script.
for (const plot of document.querySelectorAll('.plot')) {
  const { places, values } = JSON.parse(plot.querySelector('script').textContent);
  if (places.length === 0) continue;
  const tip = document.createElement('div');
  const rule = document.createElement('div');
  tip.className = 'tip';
  rule.className = 'rule';
  tip.setAttribute('role', 'status');
  tip.hidden = rule.hidden = true;
  plot.append(rule, tip);
  plot.tabIndex = 0;
  let shown = -1;

  const svg = () => [...plot.querySelectorAll('svg')].find((one) => one.getBoundingClientRect().width > 0);
  const hide = () => { tip.hidden = rule.hidden = true; };
  const show = (index) => {
    const drawing = svg();
    const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    const { left, right, top, bottom } = drawing.dataset;
    const x = (Number(left) + (right - left) * places[index] / 10000) * scale;
    shown = index;
    const row = (name, value) => {
      const line = document.createElement('span');
      for (const text of [name, value]) line.appendChild(document.createElement('i')).textContent = text;
      line.firstChild.style.fontStyle = line.lastChild.style.fontStyle = 'normal';
      return line;
    };
    const title = document.createElement('b');
    title.textContent = values.x[index];
    tip.replaceChildren(title, ...values.names.map((name, i) => row(name, values.rows[index][i])));
    tip.hidden = rule.hidden = false;
    rule.style.left = `${x}px`;
    rule.style.top = `${top * scale}px`;
    rule.style.height = `${(bottom - top) * scale}px`;
    const room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = `${x + 12 > room ? Math.max(0, x - tip.offsetWidth - 12) : x + 12}px`;
    tip.style.top = `${top * scale + 4}px`;
  };

  plot.addEventListener('pointermove', (event) => {
    const drawing = svg();
    const area = drawing.getBoundingClientRect();
    const scale = area.width / drawing.viewBox.baseVal.width;
    const { left, right } = drawing.dataset;
    const at = ((event.clientX - area.left) / scale - left) / (right - left) * 10000;
    let nearest = 0;
    for (let i = 1; i < places.length; i++) {
      if (Math.abs(places[i] - at) < Math.abs(places[nearest] - at)) nearest = i;
    }
    show(nearest);
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(Math.min(places.length - 1, Math.max(0, shown + step)));
  });
}
